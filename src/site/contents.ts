import type { Section } from './page.ts';

/** Written page: a Markdown file below `docs`, and its path on the site. */
export type WrittenFile = { readonly file: string; readonly path: string; readonly section: Section };

/** Returns a page. `name` is the path of the file below `docs` without the ending. Defaults to the path on the site. */
const page = (section: Section, path: string, name = path): WrittenFile => ({
  file: `docs/${name}.md`,
  path,
  section,
});

/** Written pages in the order of the navigation. */
export const writtenFiles: readonly WrittenFile[] = [
  page('Start', '', 'index'),
  ...[
    'start/quickstart',
    'start/typescript',
    'start/nextjs',
    'start/express',
    'testing/cards',
    'testing/test-clock',
  ].map((path) => page('Start', path)),
  ...[
    'concepts/billing-model',
    'concepts/periods',
    'concepts/subscription-states',
    'concepts/environments',
  ].map((path) => page('Concepts', path)),
  page('Concepts', 'glossary'),
  ...[
    'guides/sell-a-plan',
    'guides/meter-usage',
    'guides/ai-credits',
    'guides/seats',
    'guides/change-plans',
    'guides/portal',
    'guides/recover-payments',
    'guides/refunds',
    'guides/taxes',
    'guides/currencies',
    'guides/migrate',
    'guides/go-live',
  ].map((path) => page('Guides', path)),
  ...[
    'webhooks',
    'events',
    'limits',
    'api-key-policies',
    'holds',
    'auto-top-up',
    'bank-debits',
    'collection-by-payer',
    'payer-payments',
    'bank-transfers',
    'embedding',
    'sdk',
    'react',
    'cli',
    'mcp',
    'request-log',
    'graphql',
    'graphql-clients',
    'live',
  ].map((name) => page('Guides', `guides/${name}`, name)),
  page('Operations', 'operations'),
  ...['deployment', 'settings', 'scaling', 'security', 'performance'].map((name) =>
    page('Operations', `operations/${name}`, name),
  ),
  page('Rules', 'rules', 'rules/README'),
  ...[
    'rules/basics',
    'rules/catalog',
    'rules/rates',
    'rules/meters',
    'rules/usage',
    'rules/lots',
    'rules/offers',
    'rules/subscriptions',
    'rules/billing',
    'rules/payments',
    'rules/metrics',
    'rules/metrics-money',
    'rules/exports',
    'rules/platform',
  ].map((path) => page('Rules', path)),
  page('Releases', 'changelog'),
  page('Releases', 'versioning'),
];

/** Files in `docs` for the people who develop Quittance, which the site omits. */
export const omittedFiles: readonly string[] = ['docs/contributing.md', 'docs/translating.md'];
