import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The generated client names these types without checking that they exist: a name that does not would quietly be `any`.

const root = path.resolve(import.meta.dirname, '..');
const models = path.join(root, 'prisma/models');

/** The columns of all models, each with the comment lines above it. */
const columns = readdirSync(models).flatMap((file) => {
  const text = readFileSync(path.join(models, file), 'utf8');
  return [...text.matchAll(/((?:^ +\/\/\/.*\n)*)^ +(\w+) +(\w+)/gm)].map(
    ([, comments = '', name = '', type = '']) => ({
      name: `${file} ${name}`,
      type,
      typeName: /^ +\/\/\/ \[(\w+)\]\n/.exec(comments)?.[1] ?? null,
      isLater: /\n +\/\/\/ \[\w+\]\n/.test(comments),
    }),
  );
});
const declared = [
  ...readFileSync(path.join(root, 'src/domain/stored-types.ts'), 'utf8').matchAll(/^ {4}type (\w+) =/gm),
].map(([, name = '']) => name);

test('every JSON column has a type, named in the first line above it', () => {
  const json = columns.filter(({ type }) => type === 'Json');
  expect(json.length).toBeGreaterThan(30);
  expect(json.filter(({ typeName }) => typeName === null).map(({ name }) => name)).toEqual([]);
  expect(columns.filter(({ isLater }) => isLater).map(({ name }) => name)).toEqual([]);
});

test('the types named are those declared', () => {
  const named = new Set(columns.flatMap(({ typeName }) => typeName ?? []));
  expect([...named].toSorted()).toEqual(declared.toSorted());
});
