import type { Section } from './page.ts';

/** Written page: a Markdown file below `docs`, and its path on the site. */
export type WrittenFile = { readonly file: string; readonly path: string; readonly section: Section };

/** Files in one section. A file in a subfolder has the path of the file; another file has the section's folder as a prefix. */
const under =
  (section: Section, folder: string) =>
  (name: string): WrittenFile => ({
    file: `docs/${name}.md`,
    path: name.includes('/') || folder === '' ? name : `${folder}/${name}`,
    section,
  });

/** File whose path on the site differs from its name. */
const at = (section: Section, path: string, name: string): WrittenFile => ({
  file: `docs/${name}.md`,
  path,
  section,
});

/** Written pages in the order of the navigation. */
export const writtenFiles: readonly WrittenFile[] = [
  at('Start', '', 'index'),
  ...['start/quickstart', 'start/typescript', 'testing/cards', 'testing/test-clock'].map(under('Start', '')),
  ...[
    'concepts/billing-model',
    'concepts/periods',
    'concepts/subscription-states',
    'concepts/environments',
  ].map(under('Concepts', '')),
  at('Concepts', 'glossary', 'glossary'),
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
  ].map(under('Guides', '')),
  ...[
    'webhooks',
    'events',
    'limits',
    'api-key-policies',
    'holds',
    'auto-top-up',
    'bank-debits',
    'embedding',
    'sdk',
    'cli',
    'mcp',
    'request-log',
    'graphql',
    'graphql-clients',
    'live',
  ].map(under('Guides', 'guides')),
  at('Operations', 'operations', 'operations'),
  ...['deployment', 'settings', 'scaling', 'security', 'performance'].map(under('Operations', 'operations')),
  at('Rules', 'rules', 'rules/README'),
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
  ].map(under('Rules', '')),
  at('Releases', 'changelog', 'changelog'),
  at('Releases', 'versioning', 'versioning'),
];

/** Files in `docs` for the people who develop Quittance, which the site omits. */
export const omittedFiles: readonly string[] = ['docs/contributing.md', 'docs/translating.md'];
