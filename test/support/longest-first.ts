import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, whatever its size. Begun last, one of these would keep one worker busy while the others have nothing left to do. */
const longest = [
  'test/access.test.ts',
  'test/contract-errors.test.ts',
  'test/properties/',
  'test/browser/',
  'test/process/',
  'test/modules/exports/',
  'test/modules/export-schedules/',
  'test/examples/demo.test.ts',
  'test/platform/prepared.test.ts',
  'test/platform/database-timeouts.test.ts',
  'test/rest/graphql-reference.test.ts',
  'test/rest/parity.test.ts',
  'test/graphql/filtered-lists.test.ts',
  'test/graphql/field-errors.test.ts',
  'test/modules/invoices/send.test.ts',
  'test/worker/plans.test.ts',
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
