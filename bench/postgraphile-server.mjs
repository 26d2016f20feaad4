// A peer of the nested page: PostGraphile on the product's own tables, with its stock preset. Its packages are those of bench/package.json.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makeJSONPgSmartTagsPlugin } from 'postgraphile/utils';

// Two of our tables have the names of types of its own: the root of live fields, and the connection of payments.
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

/** Processor time, as the product tells it. */
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
  console.log(`The peer answers at http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', () => process.exit(0));
