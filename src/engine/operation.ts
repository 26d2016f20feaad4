import type { CustomerOperation } from '../domain/limits/system-operations.ts';
import type { CommandResult } from '../domain/subscription/state/aggregate.ts';
import { type Issue, throwIssues } from '../graphql/declare/rules.ts';
import type { Context } from '../request/context.ts';
import type { CommandInput, CustomerCommand } from './commit.ts';
import { answered, executeOne } from './execute.ts';
import { customerOperation } from './policy/customer-operation.ts';

/** Input type of a mutation. */
type InputType = { readonly $inferInput: object };

/** Object that an operation acts on. The command runs on the billing state of the object's customer. */
export type Subject = { readonly customerId: string };

/** Executed command with its result. */
type Executed<Input, S, C> = {
  readonly input: Input;
  readonly subject: S;
  readonly command: C;
  readonly done: CommandResult;
};

/** Builds the command of an operation. */
type CommandOf<Input, S, C> = (input: Input, subject: S, ctx: Context) => C;

type Declaration<I extends InputType, S extends Subject, C, F, Result> = {
  readonly input: I;
  /** Returns input problems that the rules of the GraphQL type can't detect. */
  readonly issues?: (input: I['$inferInput']) => readonly Issue[];
  /** Finds the subject. Errors contain `path` in front of the input's field names. */
  readonly find: (ctx: Context, input: I['$inferInput'], path: string) => Promise<S>;
  readonly command: F & CommandOf<I['$inferInput'], S, C>;
  /**
   * True if the result depends on a payment. The operation then throws `charge_in_progress` if the provider hasn't
   * responded.
   */
  readonly awaitsPayment?: true;
  /** Name under which limits of the organization count the operation of the customer (LIM-69). */
  readonly countedAs?: CustomerOperation;
  /** Returns the error to throw in place of the command's error. */
  readonly explain?: (ctx: Context, subject: S, error: unknown) => Promise<unknown>;
  readonly result: (ctx: Context, executed: Executed<I['$inferInput'], S, C>) => Promise<Result> | Result;
};

/** Operation that executes one command. Mutations, previews, and the portal build the command with the same function. */
export type Operation<Input, S extends Subject = never, F = unknown, Result = unknown> = {
  /** Builds the operation's command without executing it. */
  readonly command: F;
  /** Validates the input, finds the subject, and returns the command without executing it. */
  readonly prepare: (ctx: Context, input: Input, path?: string) => Promise<CustomerCommand>;
  /** Finds the subject and executes the operation. */
  readonly execute: (ctx: Context, input: Input) => Promise<Result>;
  /** Executes the operation for a subject that is already known. */
  readonly executeFor: (ctx: Context, subject: S, input: Input) => Promise<Result>;
};

/**
 * Declares an operation. `execute` throws `validation_error` if `issues` returns problems, the errors that
 * `find` throws, and the command's error if the command is rejected.
 */
export function operation<I extends InputType, S extends Subject, const C extends CommandInput, F, Result>(
  declaration: Declaration<I, S, C, F, Result>,
): Operation<I['$inferInput'], S, F, Result> & { readonly input: I } {
  type Input = I['$inferInput'];
  const { issues, find, awaitsPayment, countedAs, explain, result } = declaration;
  const commandOf: CommandOf<Input, S, C> = declaration.command;
  const subjectOf = (ctx: Context, input: Input, path = ''): Promise<S> => {
    throwIssues((issues?.(input) ?? []).map((issue) => ({ ...issue, field: `${path}${issue.field}` })));
    return find(ctx, input, path);
  };
  const executeFor = async (ctx: Context, subject: S, input: Input): Promise<Result> => {
    const command = commandOf(input, subject, ctx);
    const run = (inner: Context) => executeOne(inner, subject.customerId, command);
    const counted =
      countedAs === undefined ? run(ctx) : customerOperation(ctx, subject.customerId, countedAs, run);
    const done = await counted.catch(async (error: unknown) => {
      throw explain === undefined ? error : await explain(ctx, subject, error);
    });
    return result(ctx, { input, subject, command, done: awaitsPayment ? answered(done) : done });
  };
  return {
    input: declaration.input,
    command: declaration.command,
    prepare: async (ctx, input, path) => {
      const subject = await subjectOf(ctx, input, path);
      return { customerId: subject.customerId, input: commandOf(input, subject, ctx) };
    },
    execute: async (ctx, input) => executeFor(ctx, await subjectOf(ctx, input), input),
    executeFor,
  };
}
