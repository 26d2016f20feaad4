import { useState } from 'react';
import { moneyText } from '../../ui/format/money.ts';
import { ApiError, type FieldProblem } from '../data/api-error.ts';
import { useAction } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import type { AnyCommand, Result, Subject } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { type Amount, outcomeOf } from './outcome.ts';
import { type PreviewState, usePreview } from './use-preview.ts';

/** A command while its form is open. */
export type OpenCommand = {
  // biome-ignore lint/suspicious/noExplicitAny: only the command itself knows its values.
  readonly values: any;
  readonly change: (part: object) => void;
  readonly preview: PreviewState;
  /** The text of the button, with the amount that is charged or left to pay. */
  readonly verb: string;
  /** Why it is not possible, beside the button; null where nothing speaks against it. */
  readonly rejection: string | null;
  /** Problems of single fields. */
  readonly problems: readonly FieldProblem[];
  readonly isReady: boolean;
  readonly isRunning: boolean;
  /** Runs it; answers its result, or null where it was rejected. */
  readonly run: () => Promise<Result | null>;
};

/** The text of the button of a command: what it does, and the amount. */
function useVerb(command: AnyCommand, values: unknown, { preview }: PreviewState): string {
  const words = useCommandWords();
  const { locale } = useKit();
  const verb = words[command.name].verb;
  const one = ({ amount, currency }: Amount) => moneyText(amount, currency, locale);
  const money = (amounts: readonly Amount[]) => amounts.map(one).join(' + ');
  if (command.preview === undefined) return command.verb?.(values as never, words, one) ?? verb;
  if (preview === null) return verb;
  const { charged, unpaid } = outcomeOf(preview);
  if (charged.length > 0) return words.andCharge(verb, money(charged));
  return unpaid.length > 0 && preview.rejection === null ? words.toPay(verb, money(unpaid)) : verb;
}

/** What is wrong with the fields, of the preview or of the command itself. */
const problemsOf = (...errors: (ApiError | null)[]): readonly FieldProblem[] =>
  errors
    .flatMap((error) => error?.details ?? [])
    .map(({ field, message }) => ({
      field: field.split('.').at(-1) ?? field,
      message,
    }));

/** A command with the state of its form, its preview and its button. */
export function useCommand(command: AnyCommand, subject: Subject): OpenCommand {
  const [values, setValues] = useState(() => command.initial(subject));
  const [run, { isRunning, error }] = useAction(command.document);
  const [failedFor, setFailedFor] = useState<string | null>(null);
  const input: object | null = command.input(values, subject);
  const text = JSON.stringify(input);
  const preview = usePreview(input === null || !command.preview ? null : command.preview(input));
  // The rejection of an input that has changed since says nothing any more.
  const ownError = failedFor === text ? error : null;
  const rejection =
    preview.preview?.rejection?.message ?? preview.error?.message ?? ownError?.message ?? null;
  const isSettled = command.preview === undefined || preview.isCurrent;
  return {
    values,
    change: (part) => setValues((before: object) => ({ ...before, ...part })),
    preview,
    verb: useVerb(command, values, preview),
    rejection,
    problems: problemsOf(preview.error, ownError),
    isReady: input !== null && isSettled && (rejection === null || rejection === ownError?.message),
    isRunning,
    run: async () => {
      if (input === null) return null;
      const answer = await run({ input } as never);
      if (answer instanceof ApiError) {
        setFailedFor(text);
        return null;
      }
      return command.result?.(answer as never) ?? {};
    },
  };
}
