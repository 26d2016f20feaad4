import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, whatever its size. Begun last, one of these would keep one worker busy while the others have nothing left to do. */
const longest = [
  'test/access.test.ts',
  'test/contract-errors.test.ts',
  'test/properties/',
  'test/browser/',
  'test/process/',
  'test/lists.test.ts',
  'test/page-reach.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const file = path.relative(path.resolve(import.meta.dirname, '../..'), moduleId);
  const rank = longest.findIndex((beginning) => file.startsWith(beginning));
  return rank === -1 ? longest.length : rank;
};

/** The order of the test files: the longest first, the rest as Vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
