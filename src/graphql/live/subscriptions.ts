import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import { contextOf } from '../declare/request-parts.ts';
import type { Documents } from '../execute/documents.ts';
import { executeOperation } from '../execute/execution.ts';
import { countLiveField } from './live-limits.ts';

type Show = (result: ExecutionResult) => ExecutionResult;

/** Results of a live field, one per emitted value. An error becomes the last result and doesn't close the connection. */
class LiveResults implements AsyncGenerator<ExecutionResult, void> {
  readonly #source: AsyncIterator<unknown>;
  readonly #documents: Documents;
  readonly #args: ExecutionArgs;
  readonly #show: Show;
  readonly #release: () => void;
  #isOver = false;

  constructor(
    source: AsyncIterable<unknown>,
    documents: Documents,
    args: ExecutionArgs,
    show: Show,
    release: () => void,
  ) {
    this.#source = source[Symbol.asyncIterator]();
    this.#documents = documents;
    this.#args = args;
    this.#show = show;
    this.#release = release;
  }

  async next(): Promise<IteratorResult<ExecutionResult, void>> {
    if (this.#isOver) return { value: undefined, done: true };
    try {
      const { value: rootValue, done } = await this.#source.next();
      if (done === true) {
        this.#release();
        return { value: undefined, done: true };
      }
      const result = await executeOperation(this.#documents, { ...this.#args, rootValue });
      return { value: this.#show(result), done: false };
    } catch (error) {
      this.#isOver = true;
      this.#release();
      await this.#source.return?.();
      return { value: this.#show({ errors: [error as GraphQLError] }), done: false };
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult, void>> {
    this.#isOver = true;
    this.#release();
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

/** Subscribes to a live field. The operation must be valid. Returns an error result if the subscription can't start. */
export async function subscribeOperation(
  documents: Documents,
  args: ExecutionArgs,
  show: Show = (result) => result,
): Promise<ExecutionResult | AsyncGenerator<ExecutionResult, void>> {
  const ctx = contextOf(args.contextValue);
  const release = ctx.isAuthenticated ? countLiveField(ctx) : () => undefined;
  try {
    const source = await createSourceEventStream(args);
    if (Symbol.asyncIterator in source) return new LiveResults(source, documents, args, show, release);
    release();
    return show(source);
  } catch (error) {
    release();
    throw error;
  }
}
