/**
 * A guard against being led into a private network: a server that fetches what strangers name must not reach its own
 * neighbours for them. Addresses are checked when they are known, for every connection, and those that were checked are the ones
 * connected to.
 *
 * @module
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { type AddressPolicy, requirePermitted } from '../http/address-policy.ts';

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** The same look-up, but if the policy does not permit one of the addresses for the requests of an origin there is an error. */
export function guardLookup(lookup: Lookup, policy: AddressPolicy, origin: string): Lookup {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = found as LookupAddress[];
      try {
        for (const { address } of addresses) requirePermitted(policy, origin, address, hostname);
      } catch (refused) {
        return callback(refused as Error, []);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? [], first?.family);
    });
  };
}
