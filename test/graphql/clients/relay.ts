import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { printSchema } from 'graphql';
import relay, { type ConcreteRequest, type ReaderFragment } from 'relay-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../../src/schema.ts';
import { countOwnPrices, rowsOf, type SubscriptionsData, subscriptionsText, type World } from './world.ts';

const compiler = path.join(import.meta.dirname, 'tools/node_modules/relay-compiler/cli.js');

/** True if the compiler is installed. It's 120 MB in size, so only `npm run test:clients` installs it. */
export const hasRelayCompiler = existsSync(compiler);

const source = `
import { graphql } from 'relay-runtime';
graphql\`${subscriptionsText.replace('query Subscriptions', 'query AppSubscriptionsQuery')}\`;
graphql\`query AppCustomerQuery($id: ID!) { customer(id: $id) { ...App_customer } }\`;
graphql\`fragment App_customer on Customer
  @refetchable(queryName: "AppCustomerPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) {
  id
  fullName
  invoices(first: $count, after: $cursor) @connection(key: "App_customer_invoices") {
    edges { node { id total } }
  }
}\`;
graphql\`mutation AppRenameMutation($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id fullName } }\`;
`;

const config = {
  src: './src',
  schema: './schema.graphql',
  language: 'javascript',
  artifactDirectory: './artifacts',
  eagerEsModules: false,
};

/**
 * Compiles the documents. Returns a function that loads an artifact by name. Throws the compiler's errors.
 */
async function compile(folder: string): Promise<<Artifact>(name: string) => Artifact> {
  mkdirSync(path.join(folder, 'src'));
  mkdirSync(path.join(folder, 'artifacts'));
  writeFileSync(path.join(folder, 'src/App.js'), source);
  writeFileSync(path.join(folder, 'schema.graphql'), printSchema(schema));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(path.join(folder, 'relay.config.json'), JSON.stringify(config));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], {
    cwd: folder,
  });
  expect(`${stdout}${stderr}`).not.toMatch(/\[WARN|warning/i);
  const require = createRequire(path.join(folder, 'src/App.js'));
  return <Artifact>(name: string) => require(`../artifacts/${name}.graphql.js`) as Artifact;
}

const environmentOf = ({ url, headers }: World) =>
  new relay.Environment({
    store: new relay.Store(new relay.RecordSource()),
    network: relay.Network.create(async ({ text }, variables) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return response.json();
    }),
  });

type Customer = {
  readonly fullName: string;
  readonly invoices: {
    readonly edges: readonly { readonly node: { readonly id: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
};

export function relayTests(world: () => World): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'relay-'));
  let artifact: <Artifact>(name: string) => Artifact;
  beforeAll(async () => {
    artifact = await compile(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const request = (name: string) => relay.getRequest(artifact<ConcreteRequest>(name));

  test('returns the same rows as REST from the store', async () => {
    const data = await relay
      .fetchQuery(environmentOf(world()), request('AppSubscriptionsQuery'), { first: 100 })
      .toPromise();
    expect(rowsOf(data as SubscriptionsData)).toEqual(world().rows);
    expect(countOwnPrices(data as SubscriptionsData)).toBe(100);
  });

  test('appends pages of a nested list by refetching the customer, and updates the list from a mutation', async () => {
    const environment = environmentOf(world());
    const variables = { id: world().billedCustomerId };
    environment.retain(relay.createOperationDescriptor(request('AppCustomerQuery'), variables));
    const data = await relay.fetchQuery(environment, request('AppCustomerQuery'), variables).toPromise();
    const selector = relay.getSingularSelector(
      relay.getFragment(artifact<ReaderFragment>('App_customer')),
      (data as { customer: unknown }).customer,
    );
    if (selector == null) throw new Error('The customer is not in the store.');
    const shown = () => environment.lookup(selector).data as unknown as Customer;
    for (let pages = 1; pages < 5 && shown().invoices.pageInfo.hasNextPage; pages++) {
      const page = { ...variables, count: 2, cursor: shown().invoices.pageInfo.endCursor };
      await relay.fetchQuery(environment, request('AppCustomerPageQuery'), page).toPromise();
    }
    expect(shown().invoices.edges.map(({ node }) => node.id)).toEqual(world().invoiceIds);
    await new Promise((resolve, reject) =>
      relay.commitMutation(environment, {
        mutation: request('AppRenameMutation'),
        variables: { input: { ...variables, fullName: 'Augusta King' } },
        onCompleted: resolve,
        onError: reject,
      }),
    );
    expect(shown().fullName).toBe('Augusta King');
  });
}
