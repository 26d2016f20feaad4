import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../src/domain/error-codes.ts';
import { errorMessages } from '../src/domain/error-messages.ts';
import { catalogModels } from '../src/domain/tenancy.ts';

// What only we care about: directions of imports, the places that may ask the machine, speak SQL or read settings, files nobody uses.

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'src');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // Browser code has rules of its own.
  .filter((file) => file.endsWith('.ts') && !/^(?:generated|dashboard|pages|ui)\//.test(file))
  .sort();

const text = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]));

/** The source without comments, so that prose cannot break a rule. */
const code = (file: string): string =>
  (text.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

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
  'platform',
  'outbox',
  'identity',
  'documents',
  'providers',
  'context.ts',
  'event-origin.ts',
  'transaction.ts',
  'authenticate.ts',
  'admission.ts',
  'graphql',
  'http',
  'engine',
  'modules',
  'idempotency',
  'rest',
  'web',
  'worker',
  'schema.ts',
  'print-schema.ts',
  'server.ts',
  'start.ts',
  'start-errors.ts',
  'main.ts',
];
const siblings = new Set(['rest', 'web', 'worker', 'schema.ts']);

const areas = [
  // What emails say and look like, which other modules send too.
  'emails/templates',
  'currencies/enums.ts',
  'organizations',
  'countries',
  'currencies',
  'api-keys',
  'provisioning',
  'members',
  'saved-views',
  'tax-registrations',
  'features',
  'ai-models',
  'markets',
  'plans',
  'regional-pricing',
  'plan-prices',
  'plan-features',
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
  'reconciliation',
  'bank-accounts',
  'provider-requests',
  'payout-verification',
  'payouts',
  'offer-applications',
  'subscriptions',
  'plan-changes',
  'recovery-links',
  'purchases',
  'active-addons',
  'catalog-impact',
  'plan-grants',
  'feature-access',
  'consumption',
  'day-sums',
  'ledger-days',
  'ledger',
  'seats',
  'checkout',
  'recovery',
  'pricing-tables',
  'payment-links',
  'events',
  'customer-notes',
  'portal',
  'emails',
  'timeline',
  'webhooks',
  'previews',
  'test-clock',
  'metric-ranges',
  'usage-days',
  'fx-rates',
  'outcome-days',
  'metrics-cash',
  'metrics',
  'example-shop',
  'exports',
  'export-schedules',
  'overview',
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
    const areaOf = (file: string): number => {
      const place = file.startsWith('modules/') ? file.split('/').slice(1) : [];
      const inner = areas.indexOf(place.slice(0, 2).join('/'));
      return inner >= 0 ? inner : areas.indexOf(place[0] ?? '');
    };
    const wrong = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => areaOf(file) >= 0 && areaOf(target) > areaOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of a room of the subscription never reach a higher room', () => {
    const rooms = [
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
    ];
    const folder = 'domain/subscription/';
    const roomOf = (file: string): number =>
      file.startsWith(folder) ? rooms.indexOf(file.slice(folder.length).split('/')[0] ?? '') : -1;
    const inside = files.filter((file) => roomOf(file) >= 0);
    expect(new Set(inside.map(roomOf)).size).toBe(rooms.length);
    const wrong = inside.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => roomOf(target) > roomOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
    expect(files.filter((file) => file.startsWith(folder) && roomOf(file) < 0)).toEqual([]);
  });

  it('of the domain stay inside it', () => {
    const packages = files
      .filter((file) => layerOf(file) === 'domain')
      .filter((file) => /from '(?!\.)/.test(code(file)));
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
    for (const entry of [
      'main.ts',
      'print-schema.ts',
      'web/build.ts',
      'web/document-types.ts',
      'web/vite.ts',
    ])
      visit(entry);
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});

describe('the platform', () => {
  const businessWords = new Set(
    'customer subscription invoice plan usage webhook email portal checkout payout seat quota credit member organization'.split(
      ' ',
    ),
  );
  /** Words that a file may use, with the reason. */
  const exceptions: Readonly<Record<string, { readonly words: readonly string[]; readonly reason: string }>> =
    {
      'config.ts': {
        words: ['usage', 'webhook', 'email'],
        reason: 'Settings are named after what they limit.',
      },
      'credentials.ts': { words: ['organization', 'member', 'email'], reason: 'Belongs to identity/.' },
      'idempotency.ts': { words: ['member'], reason: 'A request waiting in a batch; to be renamed.' },
      'metrics.ts': {
        words: ['email', 'customer'],
        reason: 'The name of a metric; to be registered by its owner.',
      },
      'db/postgres.ts': { words: ['plan'], reason: 'Query plans.' },
      'db/patches/pglite-statements.ts': { words: ['plan'], reason: 'Query plans.' },
      'db/patches/query-plans.ts': { words: ['plan'], reason: 'Query plans.' },
    };
  /** The words of a file's name and code, in the singular. */
  const wordsOf = (file: string): string[] =>
    (`${file} ${code(`platform/${file}`)}`.match(/[A-Za-z]+/g) ?? [])
      .flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])/))
      .map((word) => word.toLowerCase().replace(/s$/, ''));

  it('knows no business word', () => {
    const wrong = files
      .filter((file) => file.startsWith('platform/'))
      .map((file) => file.slice('platform/'.length))
      .flatMap((file) => {
        const used = new Set(wordsOf(file).filter((word) => businessWords.has(word)));
        const allowed = exceptions[file]?.words ?? [];
        const stale = allowed.filter((word) => !used.has(word)).map((word) => `${file} needs no ${word}`);
        return [
          ...[...used].filter((word) => !allowed.includes(word)).map((word) => `${file}: ${word}`),
          ...stale,
        ];
      });
    expect(wrong).toEqual([]);
  });
});

describe('the machine', () => {
  it('is asked for the time in one file only', () => {
    const asking = files.filter((file) =>
      /Date\.now\(|new Date\(\)|Temporal\.Now|performance\.now\(|process\.hrtime/.test(code(file)),
    );
    expect(asking).toEqual(['platform/clock.ts']);
  });

  it('gives its settings to one file only', () => {
    expect(files.filter((file) => /(?<!')process\.env/.test(code(file)))).toEqual(['platform/config.ts']);
  });
});

describe('an area', () => {
  // What every area calls alike; whatever else an area does is a verb. Folders hold what would be one long file.
  const roles = [
    'index',
    'types',
    'enums',
    'queries',
    'mutations',
    'live',
    'relations',
    'rules',
    'store',
    'worker',
  ];
  const folders = ['types', 'mutations', 'worker', 'templates'];
  const verbs = [
    'accept',
    'activate',
    'add',
    'adjust',
    'advance',
    'apply',
    'archive',
    'arrange',
    'ask',
    'attach',
    'authenticate',
    'bootstrap',
    'cancel',
    'change',
    'charge',
    'check',
    'claim',
    'collect',
    'compare',
    'compute',
    'create',
    'deactivate',
    'delete',
    'derive',
    'draw',
    'enter',
    'explain',
    'find',
    'follow',
    'forecast',
    'grant',
    'invite',
    'issue',
    'list',
    'load',
    'mark',
    'mint',
    'move',
    'parse',
    'pay',
    'place',
    'preview',
    'provision',
    'purchase',
    'quote',
    'reactivate',
    'read',
    'reconcile',
    'refund',
    'request',
    'resend',
    'resolve',
    'retry',
    'revoke',
    'send',
    'set',
    'shape',
    'sign',
    'simulate',
    'snapshot',
    'store',
    'stream',
    'submit',
    'sync',
    'take',
    'test',
    'top',
    'track',
    'uncancel',
    'update',
    'withdraw',
    'write',
  ];
  const inAreas = files
    .filter((file) => file.startsWith('modules/'))
    .map((file) => ({ file, place: file.split('/').slice(2).join('/') }));
  const roleOf = (place: string): string => place.split('/')[0]?.replace(/\.ts$/, '') ?? '';
  const isVerb = (place: string): boolean =>
    !place.includes('/') &&
    !roles.includes(roleOf(place)) &&
    verbs.includes(roleOf(place).split('-')[0] ?? '');

  it('has files of the common names, and verbs', () => {
    const strange = inAreas.filter(({ place }) =>
      place.includes('/')
        ? !folders.includes(roleOf(place))
        : !roles.includes(roleOf(place)) && !isVerb(place),
    );
    expect(strange.map(({ file }) => file)).toEqual([]);
  });

  it('says in a README what it owns, and has an entry where it has an API', () => {
    const homes = [...new Set(inAreas.map(({ file }) => file.split('/')[1] ?? ''))];
    const modules = path.join(source, 'modules');
    expect(homes.filter((home) => !readdirSync(path.join(modules, home)).includes('README.md'))).toEqual([]);
    const withApi = inAreas
      .filter(({ file }) => /\bbuilder\./.test(code(file)))
      .map(({ file }) => file.split('/')[1] ?? '');
    expect([...new Set(withApi)].filter((home) => !files.includes(`modules/${home}/index.ts`))).toEqual([]);
  });

  it('declares its API in the files named for it', () => {
    const declaring = ['types', 'enums', 'queries', 'mutations', 'live', 'relations'];
    const wrong = inAreas.filter(
      ({ file, place }) => /\bbuilder\./.test(code(file)) && !declaring.includes(roleOf(place)),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
    const objects =
      /\bbuilder\s*\.(prismaObject|objectRef|objectType|unionType|interfaceRef)\(|\bbuilder\s*\.objectRef</;
    const elsewhere = inAreas.filter(
      ({ file, place }) => objects.test(code(file)) && roleOf(place) !== 'types',
    );
    expect(elsewhere.map(({ file }) => file)).toEqual([]);
  });

  it('asks the database in its store and its verbs only', () => {
    const asking = inAreas.filter(
      ({ file, place }) =>
        /\.db\.\w/.test(code(file)) &&
        roleOf(place) !== 'store' &&
        roleOf(place) !== 'worker' &&
        !isVerb(place),
    );
    expect(asking.map(({ file }) => file)).toEqual([]);
  });

  it('reads in its store, or in the files that load', () => {
    const reads = inAreas
      .filter(({ place }) => roleOf(place) !== 'store' && !roleOf(place).startsWith('load-'))
      .flatMap(({ file }) =>
        (code(file).match(/\.db\s*\.\w+\s*\.(find\w+|count|aggregate|groupBy)\(/g) ?? []).map(
          (read) => `${file}: ${read}`,
        ),
      );
    expect(reads).toEqual([]);
  });
});

describe('the messages of errors', () => {
  const defaults = Object.values(errorCodes).map(({ message }) => message);
  const specific = Object.values(errorMessages).flatMap((messages) => Object.values(messages));

  it('stand beside their codes, a full sentence each', () => {
    expect([...defaults, ...specific].filter((message) => !/^[A-Z].*[.}]$/.test(message))).toEqual([]);
  });

  // The table of statuses says per status what its codes say.
  it('are said by the codes: the default is repeated nowhere', () => {
    const repeated = files
      .filter((file) => !['domain/error-codes.ts', 'domain/subscription/state/rejections.ts'].includes(file))
      .flatMap((file) =>
        defaults
          .filter((message) => code(file).includes(`'${message}'`))
          .map((message) => `${file}: ${message}`),
      );
    expect(repeated).toEqual([]);
  });

  it('name a reason that some call gives', () => {
    const calls = files.filter((file) => file !== 'domain/error-messages.ts').map(code);
    const unused = Object.entries(errorMessages).flatMap(([name, messages]) =>
      Object.keys(messages)
        .filter((reason) => !calls.some((call) => call.includes(`'${name}'`) && call.includes(`'${reason}'`)))
        .map((reason) => `${name}.${reason}`),
    );
    expect(unused).toEqual([]);
  });

  it('stand in no rejection itself', () => {
    const prose = files.flatMap((file) =>
      [...code(file).matchAll(/\bcode: '([a-z_]+)',\s*message: ?['`]/g)]
        .filter(([, name]) => name !== undefined && name in errorCodes)
        .map(([rejection]) => `${file}: ${rejection}`),
    );
    expect(prose).toEqual([]);
  });
});

describe('what someone outside can cause', () => {
  // An exception out of one of these ends the process.
  const entries =
    /\bcreateServer\(\s*(?:serverOptions\(config\),\s*)?|\.on\(\s*(?:signal|'(?:upgrade|request|clientError|connection|message|SIG[A-Z]+)'),\s*|\bsetInterval\(\s*/g;

  it('enters through the guard', () => {
    const found = files.flatMap((file) =>
      [...code(file).matchAll(entries)].map(({ 0: entry, index }) => [
        file,
        code(file).slice(index + entry.length),
      ]),
    );
    expect(found.length).toBeGreaterThan(5);
    expect(
      found.filter(([, listener]) => listener?.startsWith('guarded(') !== true).map(([file]) => file),
    ).toEqual([]);
  });
});

describe('statements', () => {
  const isStatement = (literal: string): boolean =>
    /^[`']\s*(SELECT|INSERT INTO|UPDATE "|DELETE FROM|WITH) ?\S/.test(literal);
  const literals = (file: string): string[] =>
    (code(file).match(/`[^`]*`|'[^'\n]*'/g) ?? []).filter(isStatement);
  const speaking = files.filter((file) => literals(file).length > 0);

  it('are written in stores, the platform, the engine and the worker, and for health in the server', () => {
    expect(
      speaking.filter(
        (file) =>
          !/^(platform|outbox|identity|engine|worker)\/|\/store\.ts$|-store\.ts$/.test(file) &&
          !['transaction.ts', 'server.ts'].includes(file),
      ),
    ).toEqual([]);
  });

  it('take no array of an enumeration, which an embedded database made in this process does not know', () => {
    const wrong = speaking.flatMap((file) =>
      literals(file).filter((literal) => /::"[A-Za-z]+"\[\]/.test(literal)),
    );
    expect(wrong).toEqual([]);
  });

  it('change no row of the catalog beside the client that renews its version, but for the ranks of plans', () => {
    const changing = new RegExp(`(INSERT INTO|UPDATE|DELETE FROM) "(${[...catalogModels].join('|')})"`);
    expect(files.filter((file) => changing.test(code(file)))).toEqual(['modules/plan-groups/store.ts']);
    const bulk = new RegExp(
      `\\b(insert|update|upsert)\\w*\\((\\w+(\\.\\w+)*, )?'(${[...catalogModels].join('|')})'`,
    );
    expect(files.filter((file) => bulk.test(code(file)))).toEqual([]);
  });

  it('name their environment, unless they are about global tables', () => {
    const globalTables = [
      'AiModel',
      'AiModelPrice',
      'ApiKeyHash',
      'EnvironmentLease',
      'FxFeedRate',
      'Environment',
      'Organization',
      'OrganizationClaim',
      'OpenIdempotencyKey',
      'ScheduledTask',
      'Session',
      'Passkey',
      'Verification',
      'Setting',
      'Member',
      'Person',
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

describe('decisions', () => {
  it('change rows as they stand and never overwrite them by one held since', () => {
    const overwriting = files
      .filter((file) => layerOf(file) === 'domain')
      .filter((file) => /\.put\(|\.patch\(\s*(\w+)\.id,\s*\{\s*\.\.\.\1\b/.test(code(file)));
    expect(overwriting).toEqual([]);
  });
});

describe('relations of objects', () => {
  it('are never read by the Prisma plugin, which knows neither tenants nor pages by key (docs/adr/0001)', () => {
    const plugin =
      /\.(relation|relationCount|related(Field|Connection)|prisma(Field\w*|Connection\w*|Node))\(|\b(queryFromInfo|prismaConnectionHelpers)\b/;
    expect(files.filter((file) => plugin.test(code(file)))).toEqual([]);
  });

  it('are declared: a file that declares types loads no rows', () => {
    const declaring = files.filter(
      (file) => file.startsWith('modules/') && /\bbuilder\s*\.(prismaObject|objectRef)/.test(code(file)),
    );
    expect(declaring.length).toBeGreaterThan(50);
    expect(declaring.filter((file) => imports.get(file)?.includes('graphql/loaders.ts'))).toEqual([]);
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
    expect(files.filter((file) => (text.get(file) ?? '').split('\n').length > 350)).toEqual([]);
  });
});

describe('the generator of code', () => {
  it('needs none of the code it generates', () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      if (file.startsWith(path.join(source, 'generated'))) return;
      const written = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '');
      for (const [, target = ''] of written.matchAll(/(?:from|^import) '(\.[^']+)'/gm))
        visit(path.resolve(path.dirname(file), target));
    };
    visit(path.join(root, 'prisma/generate.ts'));
    expect(seen.size).toBeGreaterThan(3);
    expect([...seen].filter((file) => file.startsWith(path.join(source, 'generated')))).toEqual([]);
  });
});

describe('the README', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

  it('leads to every setting', () => {
    const table = readFileSync(path.join(root, 'docs/settings.md'), 'utf8');
    const settings = [...code('platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
      ([, setting]) => setting,
    );
    expect(settings.length).toBeGreaterThan(20);
    expect(settings.filter((setting) => !new RegExp(`^\\|.*\`${setting}\``, 'm').test(table))).toEqual([]);
  });

  it('names every folder of the source', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\nsrc/${name}/ `))).toEqual([]);
  });
});
