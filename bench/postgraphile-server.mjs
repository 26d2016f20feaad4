// PostGraphile on the product's tables with its default preset, for comparison with the nested page. Uses the packages of
// bench/package.json.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makeJSONPgSmartTagsPlugin } from 'postgraphile/utils';

// Two tables have names that PostGraphile uses for its own types: the root of live fields, and the connection of payments.
const names = {
  Subscription: { tags: { name: 'Contract' } },
  PaymentConnection: { tags: { name: 'ProviderAccount' } },
};
const renamed = makeJSONPgSmartTagsPlugin({ version: 1, config: { class: names } });

const peer = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [renamed],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public'],
      poolConfig: { max: 10 },
    }),
  ],
  grafserv: { graphiql: false, watch: false },
});

/** Returns the processor time in the same format as the product. */
function metrics(response) {
  const { user, system } = process.cpuUsage();
  response.end(`process_cpu_seconds_total ${(user + system) / 1e6}`);
}

const server = createServer();
await peer.createServ(grafserv).addTo(server);
const [answer] = server.listeners('request');
server.removeAllListeners('request');
server.on('request', (request, response) =>
  request.url === '/metrics' ? metrics(response) : answer(request, response),
);
server.listen(0, '127.0.0.1', () =>
  console.log(`The server listens at http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', () => process.exit(0));
