import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// The generated client doesn't check that the declared types for JSON columns exist. An unknown name would become `any`.

const root = path.resolve(import.meta.dirname, '..');
const models = path.join(root, 'prisma/models');

/** Columns of all models, with the preceding comment lines. */
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

test('JSON columns name their types on the first comment line above the column', () => {
  const json = columns.filter(({ type }) => type === 'Json');
  expect(json.length).toBeGreaterThan(30);
  expect(json.filter(({ typeName }) => typeName === null).map(({ name }) => name)).toEqual([]);
  expect(columns.filter(({ isLater }) => isLater).map(({ name }) => name)).toEqual([]);
});

test('JSON columns name only declared types', () => {
  const named = new Set(columns.flatMap(({ typeName }) => typeName ?? []));
  expect([...named].toSorted()).toEqual(declared.toSorted());
});
