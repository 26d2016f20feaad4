import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import type { Documents } from './documents.ts';
import { executeOperation } from './execution.ts';

/** Puts a result into the form in which it is sent. */
type Show = (result: ExecutionResult) => ExecutionResult;

/**
 * What a live field tells, executed for each thing it is about. Where it fails, the failure is its last result, so that it is shown like every
 * other one and does not take the connection with it.
 */
class LiveResults implements AsyncGenerator<ExecutionResult, void> {
  readonly #source: AsyncIterator<unknown>;
  readonly #documents: Documents;
  readonly #args: ExecutionArgs;
  readonly #show: Show;
  #isOver = false;

  constructor(source: AsyncIterable<unknown>, documents: Documents, args: ExecutionArgs, show: Show) {
    this.#source = source[Symbol.asyncIterator]();
    this.#documents = documents;
    this.#args = args;
    this.#show = show;
  }

  async next(): Promise<IteratorResult<ExecutionResult, void>> {
    if (this.#isOver) return { value: undefined, done: true };
    try {
      const { value: rootValue, done } = await this.#source.next();
      if (done === true) return { value: undefined, done: true };
      const result = await executeOperation(this.#documents, { ...this.#args, rootValue });
      return { value: this.#show(result), done: false };
    } catch (error) {
      this.#isOver = true;
      await this.#source.return?.();
      return { value: this.#show({ errors: [error as GraphQLError] }), done: false };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, void>> {
    this.#isOver = true;
    await this.#source.return?.();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<ExecutionResult, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

/** Subscribes to the live field of a validated operation, whose results are executed like every other operation; errors where it cannot begin. */
export async function subscribeOperation(
  documents: Documents,
  args: ExecutionArgs,
  show: Show = (result) => result,
): Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void>> {
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source ? new LiveResults(source, documents, args, show) : show(source);
}
