// Runs in a network namespace where loopback also has a public address: a site there redirects to a private one. Prints the
// result of a fetch, and the servers that got a request.
import { createServer } from 'node:http';
import { fetchRobotsTxt } from '@maycrawl/client';

const [publicAddress] = process.argv.slice(2);
const requested = [];
const listen = async (address, listener) => {
  const server = createServer((request, response) => {
    requested.push(address);
    listener(request, response);
  });
  await new Promise((resolve) => server.listen(0, address, resolve));
  return server;
};
const inner = await listen('127.0.0.1', (_request, response) => response.end('secret'));
const location = `http://localtest.example:${inner.address().port}/robots.txt`;
const outer = await listen(publicAddress, (_request, response) => {
  response.writeHead(302, { location }).end();
});
// The name in the redirect belongs to the private network.
const resolver = { resolve: async (name) => [name === 'public.example' ? publicAddress : '127.0.0.1'] };
const result = await fetchRobotsTxt(`http://public.example:${outer.address().port}/robots.txt`, {
  resolver,
});
process.stdout.write(JSON.stringify({ result, requested }));
for (const server of [inner, outer]) server.close();
