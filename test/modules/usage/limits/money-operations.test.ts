import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { mutationDetails } from '../../../../src/graphql/declare/areas.ts';
import { schema } from '../../../../src/schema.ts';

it('docs/limits.md lists the mutations that declare to move money', async () => {
  const text = await readFile('docs/limits.md', 'utf8');
  const [, after = ''] = text.split('count toward limits on `money` of API keys and members:');
  const [list = ''] = after.split('## ');
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const declared = [...mutationDetails(schema)].flatMap(([name, { movesMoney }]) =>
    movesMoney ? [name] : [],
  );
  expect(named).toEqual(declared.toSorted());
});
