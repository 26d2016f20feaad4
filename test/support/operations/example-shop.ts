import { eventually } from '../eventually.ts';
import type { Shop } from '../factories.ts';
import { reasons } from './shared.ts';
import type { MakeVariables, ModuleOperations } from './types.ts';

type Runs = { readonly exampleRuns: { readonly nodes: readonly { readonly status: string }[] } };

/** Waits until no example run is active in the sandbox. */
export const exampleSettled = (shop: Shop): Promise<Runs> =>
  eventually(
    () => shop.t.graphql<Runs>('{ exampleRuns(first: 1) { nodes { status } } }', {}, { key: shop.key }),
    ({ exampleRuns }) => exampleRuns.nodes[0]?.status !== 'running',
  );

/** Creates a feature that conflicts with the example data, so example runs fail at their first step and change nothing. */
export const refuseExamples = async (shop: Shop): Promise<void> => {
  await exampleSettled(shop);
  await shop.rest('POST', '/features', { name: 'API calls', code: 'api_calls', type: 'boolean' });
};

const loadExample: MakeVariables = async (shop) => {
  await refuseExamples(shop);
  const { sandboxExampleLoad } = await shop.t.graphql<{ sandboxExampleLoad: { id: string } }>(
    'mutation { sandboxExampleLoad(input: { size: small }) { id } }',
    {},
    { key: shop.key },
  );
  await exampleSettled(shop);
  return { id: sandboxExampleLoad.id };
};

export const operations: ModuleOperations = {
  unrouted: {
    exampleRun: {
      because: reasons.more,
      text: 'query ($id: ID!) { exampleRun(id: $id) { id status progress } }',
      variables: loadExample,
    },
    exampleRuns: {
      because: reasons.more,
      text: '{ exampleRuns(first: 5) { nodes { id status } } }',
      variables: async (shop) => {
        await loadExample(shop);
        return {};
      },
    },
    sandboxExampleLoad: {
      because: reasons.more,
      text: 'mutation ($input: SandboxExampleLoadInput!) { sandboxExampleLoad(input: $input) { id } }',
      variables: async (shop) => {
        await refuseExamples(shop);
        return { input: { size: 'small' } };
      },
    },
    sandboxReset: {
      because: reasons.more,
      text: 'mutation ($input: SandboxResetInput!) { sandboxReset(input: $input) { isActive } }',
      // The request doesn't confirm the reset, because a reset would delete other tests' data.
      variables: async () => ({ input: { confirm: false } }),
    },
    exampleRunChanged: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { exampleRunChanged(id: $id) { id status } }',
      variables: loadExample,
    },
  },
};
