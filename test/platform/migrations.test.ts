import { expect, it } from 'vitest';
import { difference } from '../../prisma/difference.ts';

it('the migrations create the tables that the Prisma models describe', async () => {
  expect(await difference()).toBe('');
});
