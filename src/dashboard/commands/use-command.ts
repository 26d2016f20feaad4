import { useState } from 'react';
import { moneyText } from '../../ui/format/money.ts';
import { ApiError, type FieldProblem } from '../data/api-error.ts';
import { useAction } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import type { AnyCommand, Result, Subject } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { type Amount, outcomeOf } from './outcome.ts';
import { type PreviewState, usePreview } from './use-preview.ts';

/** State of a command while its form is open. */
export type OpenCommand = {
  // biome-ignore lint/suspicious/noExplicitAny: only the command itself knows its values.
  readonly values: any;
  readonly change: (part: object) => void;
  readonly preview: PreviewState;
  /** Button label, with the amount to be charged or paid later. */
  readonly verb: string;
  /** Reason why the command isn't possible, shown next to the button. `null` if the command is possible. */
  readonly rejection: string | null;
  /** Validation errors for form fields. */
  readonly problems: readonly FieldProblem[];
  readonly isReady: boolean;
  readonly isRunning: boolean;
  /** Runs the command. Returns `null` if it was rejected. */
  readonly run: () => Promise<Result | null>;
};

/** Returns the button label: the command's action and amount. */
function useVerb(command: AnyCommand, values: unknown, { preview }: PreviewState): string {
  const words = useCommandWords();
  const { locale } = useKit();
  const verb = words[command.name].verb;
  const one = ({ amount, currency }: Amount) => moneyText(amount, currency, locale);
  const money = (amounts: readonly Amount[]) => amounts.map(one).join(' + ');
  if (command.preview === undefined) return command.verb?.(values as never, words, one) ?? verb;
  if (preview === null) return verb;
  const { charged, unpaid } = outcomeOf(preview);
  if (charged.length > 0) return words.andCharge({ verb, amount: money(charged) });
  return unpaid.length > 0 && preview.rejection === null
    ? words.toPay({ verb, amount: money(unpaid) })
    : verb;
}

/** Returns the field errors from the preview and the command. */
const problemsOf = (...errors: (ApiError | null)[]): readonly FieldProblem[] =>
  errors
    .flatMap((error) => error?.details ?? [])
    .map(({ field, message }) => ({
      field: field.split('.').at(-1) ?? field,
      message,
    }));

/** Manages the form values, preview and button of a command. */
export function useCommand(command: AnyCommand, subject: Subject): OpenCommand {
  const [values, setValues] = useState(() => command.initial(subject));
  const [run, { isRunning, error }] = useAction(command.document);
  const [failedFor, setFailedFor] = useState<string | null>(null);
  const input: object | null = command.input(values, subject);
  const text = JSON.stringify(input);
  const preview = usePreview(input === null || !command.preview ? null : command.preview(input));
  // Hides the rejection after the input has changed.
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
