import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { code, files, imports, layerOf, root, source } from './support/server-source.ts';

// Import directions between layers, and between the folders in some layers. Each list starts with the lowest folder. A folder never imports
// from a later folder in the list.

const layers = [
  'domain',
  'platform',
  'messages',
  'outbox',
  'identity',
  'documents',
  'providers',
  'request',
  'graphql',
  'http',
  'engine',
  'modules',
  'idempotency',
  'rest',
  'site',
  'mcp',
  'web',
  'worker',
  'schema.ts',
  'print-schema.ts',
  'build-site.ts',
  'server.ts',
  'start.ts',
  'start-errors.ts',
  'main.ts',
];

/** Layers that handle requests or background work. These layers never import each other. */
const surfaces = new Set(['rest', 'web', 'worker', 'schema.ts']);

/** Areas of `src/modules`. Each area contains the folders for related capabilities. */
const areas = [
  'organization',
  'catalog',
  'customers',
  'invoices',
  'payments',
  'subscriptions',
  'usage',
  'messages',
  'metrics',
  'pages',
  'exports',
  'sandbox',
];

const ordered: readonly (readonly [folder: string, rooms: readonly string[]])[] = [
  ['modules', areas],
  [
    'domain',
    [
      'text',
      'requests',
      'errors',
      'money',
      'rates',
      'meters',
      'tax',
      'pages',
      'rows',
      'time',
      'pricing',
      'offers',
      'payments',
      'events',
      'messages',
      'lots',
      'topups',
      'limits',
      'holds',
      'usage',
      'invoicing',
      'ledger',
      'metrics',
      'subscription',
      // This file contains the types of all JSON columns, so it imports from many folders.
      'stored-types.ts',
    ],
  ],
  [
    'domain/subscription',
    [
      'state',
      'pricing',
      'schedule',
      'allowances',
      'invoicing',
      'plan-change',
      'purchases',
      'lifecycle',
      'payments',
      'commands',
      'decision',
    ],
  ],
  ['graphql', ['declare', 'input', 'reading', 'execute', 'live', 'serve']],
];

/** Formats the imports that match a condition. */
const importsWhere = (isMatch: (file: string, target: string) => boolean): string[] =>
  files.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter((target) => isMatch(file, target))
      .map((target) => `${file} imports ${target}`),
  );

/** Formats the cycles in an import graph. */
function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) cycles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    if (done.has(node) || trail.includes(node)) return;
    for (const target of graph.get(node) ?? []) visit(target, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

describe('the import graph', () => {
  it('contains imports only from each layer to lower layers, and none between interfaces', () => {
    expect(files.map(layerOf).filter((layer) => !layers.includes(layer))).toEqual([]);
    const wrong = importsWhere((file, target) => {
      const [from, to] = [layerOf(file), layerOf(target)];
      if (from === to) return false;
      return (surfaces.has(from) && surfaces.has(to)) || layers.indexOf(to) > layers.indexOf(from);
    });
    expect(wrong).toEqual([]);
  });

  it.each(ordered)('contains imports from each folder in %s to lower folders only', (folder, rooms) => {
    const roomOf = (file: string): string | null =>
      file.startsWith(`${folder}/`) ? (file.slice(folder.length + 1).split('/')[0] ?? null) : null;
    const found = new Set(files.map(roomOf).filter((room) => room !== null));
    expect([...found].sort()).toEqual([...rooms].sort());
    const wrong = importsWhere((file, target) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return from !== null && to !== null && rooms.indexOf(to) > rooms.indexOf(from);
    });
    expect(wrong).toEqual([]);
  });

  it('contains no cycles between files', () => {
    expect(cyclesOf(imports)).toEqual([]);
  });

  it('contains no cycles between capabilities', () => {
    const capabilityOf = (file: string): string => file.split('/').slice(0, 3).join('/');
    const graph = new Map<string, Set<string>>();
    for (const [file, targets] of imports) {
      if (!file.startsWith('modules/')) continue;
      const own = graph.get(capabilityOf(file)) ?? new Set();
      for (const target of targets)
        if (target.startsWith('modules/') && capabilityOf(target) !== capabilityOf(file))
          own.add(capabilityOf(target));
      graph.set(capabilityOf(file), own);
    }
    expect(graph.size).toBeGreaterThan(60);
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('contains no packages in the domain', () => {
    const packages = files
      .filter((file) => layerOf(file) === 'domain')
      .filter((file) => /from '(?!\.)/.test(code(file)));
    expect(packages).toEqual([]);
  });

  it('reaches every file from an entry point', () => {
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const target of imports.get(file) ?? []) visit(target);
    };
    for (const entry of [
      'main.ts',
      'print-schema.ts',
      'build-site.ts',
      // Astro reads these files by their names.
      'site/astro/alternate.ts',
      'site/astro/content.config.ts',
      'web/build.ts',
      'web/document-types.ts',
      'web/vite.ts',
    ])
      visit(entry);
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});

describe('an area of the modules', () => {
  const capabilities = [
    ...new Set(
      files
        .filter((file) => /^modules\/.+\/.+\//.test(file))
        .map((file) => file.split('/').slice(1, 3).join('/')),
    ),
  ];

  it.each(areas)('has a README and an index: %s', (area) => {
    expect(
      ['README.md', 'index.ts'].filter((file) => !existsSync(path.join(source, 'modules', area, file))),
    ).toEqual([]);
  });

  it('contains 2 to 14 capabilities', () => {
    const sizes = areas.map((area) => capabilities.filter((each) => each.startsWith(`${area}/`)).length);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(14);
  });

  it('lists its capabilities in the README', () => {
    const table = readFileSync(path.join(root, 'README.md'), 'utf8');
    const listed = [...table.matchAll(/\]\(src\/modules\/([a-z-]+\/[a-z-]+)\)/g)].map(([, folder]) => folder);
    expect(listed.sort()).toEqual([...capabilities].sort());
  });
});
