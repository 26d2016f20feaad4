import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventKinds } from '../../../src/domain/events/events.ts';
import { restName } from '../../../src/packages/sdk/events.ts';
import { clientName, namedRoutes } from '../../../src/rest/client-names.ts';
import { clientOperations, clientTypes } from '../../../src/rest/client-types.ts';
import { routesOf } from '../../../src/rest/routes.ts';
import { schema } from '../../../src/schema.ts';

const folder = path.resolve(import.meta.dirname, '../../../src/packages/sdk');
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const routes = routesOf(schema);

describe('the generated client', () => {
  test('is up to date with the routes; otherwise, run `npm run schema`', () => {
    expect(read('generated/operations.ts')).toBe(clientOperations(schema));
    expect(read('generated/types.ts') === clientTypes(schema)).toBe(true);
  });

  test('contains one method for each route', () => {
    const names = namedRoutes(routes).map(({ namespace, method }) => `${namespace}.${method}`);
    expect(names.length).toBe(routes.filter(({ rest }) => rest.status !== 410).length);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['subscriptions.changePlan', 'plans.priceAdd', 'usage.track', 'customers.list']),
    );
  });

  test('rejects two routes with the same name', () => {
    const [route] = routes;
    if (route === undefined) throw new Error('There are no routes.');
    const { namespace, method } = clientName(route);
    expect(() => namedRoutes([route, route])).toThrow(`The client has two members ${namespace}.${method}.`);
  });

  test('converts the GraphQL name of each event type to the name in webhooks', () => {
    expect(eventKinds.map((kind) => restName(kind.replaceAll('.', '_')))).toEqual([...eventKinds]);
  });
});

describe('the source of the client', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );

  test('imports only its own files, and neither the service nor other packages', () => {
    const foreign = files.flatMap((file) =>
      [...read(file).matchAll(/(?<![.\w])(?:from|import)\s*\(?\s*'([^']+)'/g)]
        .map(([, target = '']) => path.join(path.dirname(file), target))
        .filter((target) => target.startsWith('..') || !files.includes(target))
        .map((target) => `${file}: ${target}`),
    );
    expect(foreign).toEqual([]);
  });

  test('has files of at most 350 lines, except the generated ones', () => {
    const long = files.filter(
      (file) => !file.startsWith('generated/') && read(file).split('\n').length > 350,
    );
    expect(long).toEqual([]);
  });
});
