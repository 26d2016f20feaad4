import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { roles } from '../../src/domain/limits/member-roles.ts';
import type { Access } from '../../src/graphql/declare/access.ts';
import { schema } from '../../src/schema.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';

// Operations that require a higher role than `member` must be sent only from pages that require this role, or
// from files that check the role first.

const source = path.resolve(import.meta.dirname, '../../src/dashboard');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:tsx?|graphql)$/.test(file))
  .sort();
const text = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]));

type Role = (typeof roles)[number];
const rank = (role: Role): number => roles.indexOf(role);

/** Returns the lowest role that may use a root field. */
function roleOf(name: string): Role {
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const field = types.map((type) => type?.getFields()[name]).find((found) => found !== undefined);
  const { access } = (field?.extensions ?? {}) as { access?: Access };
  if (access === undefined) throw new Error(`${name} is no root field.`);
  if ('member' in access) return access.member === 'any' ? 'member' : access.member;
  if (!('scope' in access)) return 'member';
  return access.role ?? (access.scope === 'keys' ? 'admin' : 'member');
}

/** Operations that require a higher role than `member`. */
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

/** Files that a file imports, statically or dynamically. */
const importsOf = (file: string): string[] =>
  [...(text.get(file) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)].map(([, target = '']) =>
    path.join(path.dirname(file), target),
  );

/** Returns a file and its transitive imports. Skips the route list, which imports every page. */
function reachable(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || file === 'routes.ts') return found;
  found.add(file);
  for (const target of importsOf(file)) reachable(target, found);
  return found;
}

/** Page modules in the order of the route list. */
const loaded = [...(text.get('page-modules.ts') ?? '').matchAll(/\(\) => import\('\.\/([^']+)'\)/g)];

/** Each page with its minimum role and its files. */
const pages = pageRoutes.map(([, { role }], index) => ({
  role: role ?? ('member' as const),
  files: reachable(loaded[index]?.[1] ?? ''),
}));

const isGuarded = (file: string, role: Role): boolean =>
  new RegExp(`use(?:HasRole\\(|IsAllowed\\('\\w+', )'(?:${roles.slice(rank(role)).join('|')})'\\)`).test(
    text.get(file) ?? '',
  );

/** Operation that is sent with an API key before sign-in. */
const byKey = new Set(['ClaimLinkCreateDocument']);

describe('a GraphQL operation for roles above member', () => {
  it("is found in the dashboard's code, and each page's files are found", () => {
    expect(pages.filter(({ files: found }) => found.size < 2)).toEqual([]);
    expect(operations.length).toBeGreaterThan(20);
  });

  it.each(operations.filter(({ document }) => !byKey.has(document)))(
    '$document ($role) is sent only after the role is checked',
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
