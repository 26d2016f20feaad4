import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogModels } from '../src/infra/tenant.ts';

// What only we care about: directions of imports, the places that may ask the machine, speak SQL or read settings, files nobody uses.

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'src');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
  .sort();

const text = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]));

/** The source without comments, so that prose cannot break a rule. */
const code = (file: string): string => (text.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** The project's own files a file imports, relative to src. */
function importsOf(file: string): string[] {
  const found = code(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found]
    .map(([, target = '']) => path.relative(source, path.resolve(source, path.dirname(file), target)))
    .filter((target) => !target.startsWith('generated'));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

// Lowest first. Files directly below src stand for themselves.
const layers = [
  'domain',
  'infra',
  'documents',
  'mail',
  'gateway',
  'context.ts',
  'transaction.ts',
  'authenticate.ts',
  'graphql',
  'engine',
  'modules',
  'rest',
  'web',
  'billing',
  'schema.ts',
  'print-schema.ts',
  'server.ts',
  'start.ts',
  'main.ts',
];
const siblings = new Set(['rest', 'web', 'billing', 'schema.ts']);

const areas = [
  'organizations',
  'api-keys',
  'provisioning',
  'members',
  'tax-registrations',
  'features',
  'ai-models',
  'markets',
  'plans',
  'plan-groups',
  'add-ons',
  'credit-packs',
  'offers',
  'promo-codes',
  'card-promotions',
  'payment-connections',
  'customers',
  'customer-credits',
  'usage',
  'quota',
  'invoices',
  'transactions',
  'payments',
  'ledger',
  'reconciliation',
  'payouts',
  'subscriptions',
  'purchases',
  'active-addons',
  'plan-grants',
  'feature-access',
  'consumption',
  'seats',
  'checkout',
  'recovery',
  'payment-links',
  'events',
  'letters',
  'portal',
  'webhooks',
  'previews',
  'test-clock',
];

const layerOf = (file: string): string => file.split('/')[0] ?? '';

describe('imports', () => {
  it('knows every folder', () => {
    expect(files.map(layerOf).filter((layer) => !layers.includes(layer))).toEqual([]);
    expect(
      files
        .filter((file) => file.startsWith('modules/'))
        .map((file) => file.split('/')[1])
        .filter((area) => !areas.includes(area ?? '')),
    ).toEqual([]);
  });

  it('point down only, and not between the surfaces', () => {
    const wrong = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => {
          const [from, to] = [layerOf(file), layerOf(target)];
          if (from === to) return false;
          if (siblings.has(from) && siblings.has(to)) return true;
          return layers.indexOf(to) > layers.indexOf(from);
        })
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of an area never reach a higher area', () => {
    const areaOf = (file: string): number => (file.startsWith('modules/') ? areas.indexOf(file.split('/')[1] ?? '') : -1);
    const wrong = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => areaOf(file) >= 0 && areaOf(target) > areaOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of the domain stay inside it', () => {
    const packages = files.filter((file) => layerOf(file) === 'domain').filter((file) => /from '(?!\.)/.test(code(file)));
    expect(packages).toEqual([]);
  });

  it('form no cycle', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (done.has(file) || trail.includes(file)) return;
      for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('reach every file from an entry', () => {
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const target of imports.get(file) ?? []) visit(target);
    };
    for (const entry of ['main.ts', 'print-schema.ts']) visit(entry);
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});

describe('the machine', () => {
  it('is asked for the time in one file only', () => {
    const asking = files.filter((file) => /Date\.now\(|new Date\(\)|Temporal\.Now|performance\.now\(|process\.hrtime/.test(code(file)));
    expect(asking).toEqual(['infra/clock.ts']);
  });

  it('gives its settings to one file only', () => {
    expect(files.filter((file) => /process\.env/.test(code(file)))).toEqual(['infra/config.ts']);
  });
});

describe('statements', () => {
  const isStatement = (literal: string): boolean => /^[`']\s*(SELECT|INSERT INTO|UPDATE "|DELETE FROM|WITH) ?\S/.test(literal);
  const literals = (file: string): string[] => (code(file).match(/`[^`]*`|'[^'\n]*'/g) ?? []).filter(isStatement);
  const speaking = files.filter((file) => literals(file).length > 0);

  it('are written below infra and engine, and for health in the server', () => {
    expect(speaking.filter((file) => !/^(infra|engine|billing)\//.test(file) && !['transaction.ts', 'server.ts'].includes(file))).toEqual(
      [],
    );
  });

  it('take no array of an enumeration, which an embedded database made in this process does not know', () => {
    const wrong = speaking.flatMap((file) => literals(file).filter((literal) => /::"[A-Za-z]+"\[\]/.test(literal)));
    expect(wrong).toEqual([]);
  });

  it('change no row of the catalogue beside the client that renews its version, but for the ranks of plans', () => {
    const changing = new RegExp(`(INSERT INTO|UPDATE|DELETE FROM) "(${[...catalogModels].join('|')})"`);
    expect(files.filter((file) => changing.test(code(file)))).toEqual(['infra/plan-ranks.ts']);
    const bulk = new RegExp(`\\b(insert|update|upsert)\\w*\\((\\w+(\\.\\w+)*, )?'(${[...catalogModels].join('|')})'`);
    expect(files.filter((file) => bulk.test(code(file)))).toEqual([]);
  });

  it('name their environment, unless they are about global tables', () => {
    const globalTables = [
      'AiModel',
      'AiModelPrice',
      'ApiKeyHash',
      'EnvironmentLease',
      'Environment',
      'Organization',
      'OrganizationClaim',
      'OpenIdempotencyKey',
      'Setting',
      'Member',
      '_prisma_migrations',
      'Migration',
    ];
    const wrong = speaking.flatMap((file) => {
      return literals(file)
        .filter((literal) => /\b(FROM|INTO|UPDATE)\s+"[A-Z_]/.test(literal))
        .filter((literal) => !literal.includes('environmentId'))
        .filter((literal) => !globalTables.some((table) => literal.includes(`"${table}"`)))
        .map((literal) => `${file}: ${literal.slice(0, 80)}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('files', () => {
  it('hold no escape from the type checker and no orphaned promise of work', () => {
    const wrong = files.filter(
      (file) =>
        /\bas any\b|@ts-ignore|@ts-nocheck|@ts-expect-error/.test(text.get(file) ?? '') ||
        /\b(TODO|FIXME|XXX)\b/.test(text.get(file) ?? ''),
    );
    expect(wrong).toEqual([]);
  });

  it('stay small enough to say one thing', () => {
    expect(files.filter((file) => (text.get(file) ?? '').split('\n').length > 400)).toEqual([]);
  });
});

describe('the README', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

  it('names every setting', () => {
    const settings = [...code('infra/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, setting]) => setting);
    expect(settings.length).toBeGreaterThan(20);
    expect(settings.filter((setting) => !new RegExp(`^\\|.*\`${setting}\``, 'm').test(readme))).toEqual([]);
  });

  it('names every folder of the source', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\nsrc/${name}/ `))).toEqual([]);
  });
});
