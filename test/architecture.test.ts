import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../src/domain/errors/error-codes.ts';
import { errorMessages } from '../src/domain/errors/error-messages.ts';
import { catalogModels } from '../src/domain/rows/tenancy.ts';
import { code, files, imports, layerOf, root, source, text } from './support/server-source.ts';

// Internal rules: import directions, access to the clock, SQL, and settings, and unused files.

describe('the platform code', () => {
  const businessWords = new Set(
    'customer subscription invoice plan usage webhook email portal checkout payout seat quota credit member organization'.split(
      ' ',
    ),
  );
  /** Business words that a platform file may use, with the reason for each exception. */
  const exceptions: Readonly<Record<string, { readonly words: readonly string[]; readonly reason: string }>> =
    {
      'config.ts': {
        words: ['usage', 'webhook', 'email', 'member'],
        reason: 'Settings are named after what they limit.',
      },
      'credentials.ts': { words: ['organization', 'member', 'email'], reason: 'Belongs to identity/.' },
      'metrics.ts': {
        words: ['email', 'customer'],
        reason: 'The name of a metric; to be registered by its owner.',
      },
      'db/postgres.ts': { words: ['plan'], reason: 'Query plans.' },
      'db/patches/pglite-statements.ts': { words: ['plan'], reason: 'Query plans.' },
      'db/patches/query-plans.ts': { words: ['plan'], reason: 'Query plans.' },
    };
  /** Returns the words in a file's name and code, in singular form. */
  const wordsOf = (file: string): string[] =>
    (`${file} ${code(`platform/${file}`)}`.match(/[A-Za-z]+/g) ?? [])
      .flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])/))
      .map((word) => word.toLowerCase().replace(/s$/, ''));

  it('contains no business terms, except in the listed files', () => {
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

describe('the server code', () => {
  it('reads the system time in only one file', () => {
    const asking = files.filter((file) =>
      /Date\.now\(|new Date\(\)|Temporal\.Now|performance\.now\(|process\.hrtime/.test(code(file)),
    );
    expect(asking).toEqual(['platform/clock.ts']);
  });

  it('reads environment variables in only one file', () => {
    expect(files.filter((file) => /(?<!')process\.env/.test(code(file)))).toEqual(['platform/config.ts']);
  });
});

describe('a module', () => {
  // File names shared by all modules. Other file names start with a verb. A folder replaces a file that would be too long.
  const roles = ['types', 'enums', 'queries', 'mutations', 'live', 'relations', 'rules', 'store', 'worker'];
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
    'complete',
    'compute',
    'create',
    'deactivate',
    'decide',
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
    'import',
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
    'record',
    'reconcile',
    'refund',
    'request',
    'resend',
    'resolve',
    'retry',
    'revoke',
    'search',
    'send',
    'set',
    'shape',
    'sign',
    'simulate',
    'snapshot',
    'start',
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
    .filter((file) => /^modules\/[^/]+\/[^/]+\//.test(file))
    .map((file) => ({ file, place: file.split('/').slice(3).join('/') }));
  const roleOf = (place: string): string => place.split('/')[0]?.replace(/\.ts$/, '') ?? '';
  const isVerb = (place: string): boolean =>
    !place.includes('/') &&
    !roles.includes(roleOf(place)) &&
    verbs.includes(roleOf(place).split('-')[0] ?? '');

  it('contains only files with a standard name or a name that starts with a verb', () => {
    const strange = inAreas.filter(({ place }) =>
      place.includes('/')
        ? !folders.includes(roleOf(place))
        : !roles.includes(roleOf(place)) && !isVerb(place),
    );
    expect(strange.map(({ file }) => file)).toEqual([]);
  });

  it('declares its GraphQL API only in the files reserved for it', () => {
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

  it('accesses the database only in stores, workers, and files named after a verb', () => {
    const asking = inAreas.filter(
      ({ file, place }) =>
        /\.db\.\w/.test(code(file)) &&
        roleOf(place) !== 'store' &&
        roleOf(place) !== 'worker' &&
        !isVerb(place),
    );
    expect(asking.map(({ file }) => file)).toEqual([]);
  });

  it('reads from the database only in stores and in files named load-*', () => {
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

describe('an error message in the source code', () => {
  const defaults = Object.values(errorCodes).map(({ message }) => message);
  const specific = Object.values(errorMessages).flatMap((messages) => Object.values(messages));

  it('starts with a capital letter, and ends with a period or a placeholder', () => {
    expect([...defaults, ...specific].filter((message) => !/^[A-Z].*[.}]$/.test(message))).toEqual([]);
  });

  // Excludes the error code table itself, and a file that defines billing messages by error code.
  it("is written only in the error code table if it's a code's default message", () => {
    const repeated = files
      .filter(
        (file) => !['domain/errors/error-codes.ts', 'domain/subscription/state/rejections.ts'].includes(file),
      )
      .flatMap((file) =>
        defaults
          .filter((message) => code(file).includes(`'${message}'`))
          .map((message) => `${file}: ${message}`),
      );
    expect(repeated).toEqual([]);
  });

  it('is referenced by error code and reason', () => {
    const calls = files.filter((file) => !file.endsWith('error-messages.ts')).map(code);
    const unused = Object.entries(errorMessages).flatMap(([name, messages]) =>
      Object.keys(messages)
        .filter((reason) => !calls.some((call) => call.includes(`'${name}'`) && call.includes(`'${reason}'`)))
        .map((reason) => `${name}.${reason}`),
    );
    expect(unused).toEqual([]);
  });

  it("isn't written where the error is thrown", () => {
    const prose = files.flatMap((file) =>
      [...code(file).matchAll(/\bcode: '([a-z_]+)',\s*message: ?['`]/g)]
        .filter(([, name]) => name !== undefined && name in errorCodes)
        .map(([rejection]) => `${file}: ${rejection}`),
    );
    expect(prose).toEqual([]);
  });
});

describe('an entry point for external input', () => {
  // An uncaught exception in one of these callbacks ends the process.
  const entries =
    /\bcreateServer\(\s*(?:serverOptions\(config\),\s*)?|\.on\(\s*(?:signal|'(?:upgrade|request|clientError|connection|message|SIG[A-Z]+)'),\s*|\bsetInterval\(\s*/g;

  it('is wrapped in an exception handler', () => {
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

describe('an SQL statement', () => {
  const isStatement = (literal: string): boolean =>
    /^[`']\s*(SELECT|INSERT INTO|UPDATE "|DELETE FROM|WITH) ?\S/.test(literal);
  const literals = (file: string): string[] =>
    (code(file).match(/`[^`]*`|'[^'\n]*'/g) ?? []).filter(isStatement);
  const speaking = files.filter((file) => literals(file).length > 0);

  it("appears only in stores, infrastructure folders, the transaction module, and the server's health checks", () => {
    expect(
      speaking.filter(
        (file) =>
          !/^(platform|outbox|identity|engine|worker)\/|\/store\.ts$|-store\.ts$/.test(file) &&
          !['request/transaction.ts', 'server.ts'].includes(file),
      ),
    ).toEqual([]);
  });

  it("uses no enum arrays, which the embedded database can't parse in the process that created the database", () => {
    const wrong = speaking.flatMap((file) =>
      literals(file).filter((literal) => /::"[A-Za-z]+"\[\]/.test(literal)),
    );
    expect(wrong).toEqual([]);
  });

  it('changes catalog rows only through the client that updates the catalog version, except for plan ranks', () => {
    const changing = new RegExp(`(INSERT INTO|UPDATE|DELETE FROM) "(${[...catalogModels].join('|')})"`);
    expect(files.filter((file) => changing.test(code(file)))).toEqual([
      'modules/catalog/plan-groups/store.ts',
    ]);
    const bulk = new RegExp(
      `\\b(insert|update|upsert)\\w*\\((\\w+(\\.\\w+)*, )?'(${[...catalogModels].join('|')})'`,
    );
    expect(files.filter((file) => bulk.test(code(file)))).toEqual([]);
  });

  it('includes the environment ID, unless it accesses a global table', () => {
    const globalTables = [
      'AiModel',
      'AiModelPrice',
      'ApiKeyHash',
      'EnvironmentLease',
      'FxFeedRate',
      'Environment',
      'Organization',
      'OrganizationClaim',
      'DeviceLogin',
      'OAuthCode',
      'OAuthRefreshToken',
      'OpenIdempotencyKey',
      'ScheduledTask',
      'Session',
      'Passkey',
      'Verification',
      'Setting',
      'UseWindow',
      'SecondFactor',
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

describe('a domain decision', () => {
  it('updates individual columns, and never overwrites a row with an older copy', () => {
    const overwriting = files
      .filter((file) => layerOf(file) === 'domain')
      .filter((file) => /\.put\(|\.patch\(\s*(\w+)\.id,\s*\{\s*\.\.\.\1\b/.test(code(file)));
    expect(overwriting).toEqual([]);
  });
});

describe('an object relation', () => {
  it("doesn't use the Prisma plugin, which can't enforce tenant isolation or keyset pagination (docs/adr/0001)", () => {
    const plugin =
      /\.(relation|relationCount|related(Field|Connection)|prisma(Field\w*|Connection\w*|Node))\(|\b(queryFromInfo|prismaConnectionHelpers)\b/;
    expect(files.filter((file) => plugin.test(code(file)))).toEqual([]);
  });

  it("is declarative: files that declare types don't import the functions that load rows", () => {
    const declaring = files.filter(
      (file) => file.startsWith('modules/') && /\bbuilder\s*\.(prismaObject|objectRef)/.test(code(file)),
    );
    expect(declaring.length).toBeGreaterThan(50);
    expect(declaring.filter((file) => imports.get(file)?.includes('graphql/reading/loaders.ts'))).toEqual([]);
  });
});

describe('a source file', () => {
  it('contains no type checker suppressions and no TODO comments', () => {
    const wrong = files.filter(
      (file) =>
        /\bas any\b|@ts-ignore|@ts-nocheck|@ts-expect-error/.test(text.get(file) ?? '') ||
        /\b(TODO|FIXME|XXX)\b/.test(text.get(file) ?? ''),
    );
    expect(wrong).toEqual([]);
  });

  it('contains at most 350 lines', () => {
    expect(files.filter((file) => (text.get(file) ?? '').split('\n').length > 350)).toEqual([]);
  });
});

describe('the code generator', () => {
  it('imports no generated code', () => {
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

  it('links to a table of all settings', () => {
    const table = readFileSync(path.join(root, 'docs/settings.md'), 'utf8');
    const settings = [...code('platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
      ([, setting]) => setting,
    );
    expect(settings.length).toBeGreaterThan(20);
    expect(settings.filter((setting) => !new RegExp(`^\\|.*\`${setting}\``, 'm').test(table))).toEqual([]);
  });

  it('mentions every source folder', () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\nsrc/${name}/ `))).toEqual([]);
  });
});
