// What fetches, as a module that is loaded late: the HTTP client takes a while to load. A dynamic import of its entry would make the
// bundle keep all of the entry in each command.
export { ACCEPT_ENCODING, ConnectionPool, createAddressPolicy, Origins } from '@maycrawl/client/internal';
