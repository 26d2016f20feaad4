import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { roles } from '../../src/context.ts';
import type { Access } from '../../src/graphql/access.ts';
import { schema } from '../../src/schema.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';

// What needs a role above `member` is asked for on pages of that role, or by a file that looks at the role first.

const source = path.resolve(import.meta.dirname, '../../src/dashboard');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:tsx?|graphql)$/.test(file))
  .sort();
const text = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]));

type Role = (typeof roles)[number];
const rank = (role: Role): number => roles.indexOf(role);

/** The least role of a member that may ask for a root field. */
function roleOf(name: string): Role {
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const field = types.map((type) => type?.getFields()[name]).find((found) => found !== undefined);
  const { access } = (field?.extensions ?? {}) as { access?: Access };
  if (access === undefined) throw new Error(`${name} is no root field.`);
  if ('member' in access) return access.member;
  if (!('scope' in access)) return 'member';
  return access.role ?? (access.scope === 'keys' ? 'admin' : 'member');
}

/** The operations that need a role above `member`, with the role. */
const operations = files
  .filter((file) => file.endsWith('.graphql'))
  .flatMap((file) => parse(text.get(file) ?? '').definitions)
  .flatMap((definition) => {
    if (definition.kind !== 'OperationDefinition') return [];
    const needed = definition.selectionSet.selections
      .flatMap((selection) => (selection.kind === 'Field' ? [roleOf(selection.name.value)] : []))
      .reduce((most, role) => (rank(role) > rank(most) ? role : most), 'member' as Role);
    return needed === 'member' ? [] : [{ document: `${definition.name?.value}Document`, role: needed }];
  });

/** The files a file imports, at once or later. */
const importsOf = (file: string): string[] =>
  [...(text.get(file) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)].map(([, target = '']) =>
    path.join(path.dirname(file), target),
  );

/** A file and everything it imports, but for the list of pages, which leads to all. */
function reachable(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || file === 'routes.ts') return found;
  found.add(file);
  for (const target of importsOf(file)) reachable(target, found);
  return found;
}

/** The files of pages, in the order of the list of pages. */
const loaded = [...(text.get('routes.ts') ?? '').matchAll(/load: \(\) => import\('\.\/([^']+)'\)/g)];

/** Every page with its least role and the files it is made of. */
const pages = pageRoutes.map(([, { role }], index) => ({
  role: role ?? ('member' as const),
  files: reachable(loaded[index]?.[1] ?? ''),
}));

const isGuarded = (file: string, role: Role): boolean =>
  new RegExp(`useHasRole\\('(?:${roles.slice(rank(role)).join('|')})'\\)`).test(text.get(file) ?? '');

/** Asked for with a key, by who has not signed in. */
const byKey = new Set(['ClaimLinkCreateDocument']);

describe('what needs a role above member', () => {
  it('is known of every page', () => {
    expect(pages.filter(({ files: found }) => found.size < 2)).toEqual([]);
    expect(operations.length).toBeGreaterThan(20);
  });

  it.each(operations.filter(({ document }) => !byKey.has(document)))(
    '$document ($role) is asked for where the role is known',
    ({ document, role }) => {
      const asking = files.filter(
        (file) => !file.endsWith('.graphql') && new RegExp(`\\b${document}\\b`).test(text.get(file) ?? ''),
      );
      expect(asking.length).toBeGreaterThan(0);
      const open = asking.filter(
        (file) =>
          !isGuarded(file, role) &&
          pages.some((page) => page.files.has(file) && rank(page.role) < rank(role)),
      );
      expect(open).toEqual([]);
    },
  );
});
