import { useState } from 'react';
import { moneyText } from '../../ui/format/money.ts';
import { ApiError, type FieldProblem } from '../data/api-error.ts';
import { useAction } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import { type Draft, useDraft } from '../kit/use-draft.ts';
import type { AnyCommand, Result, Subject } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { type Amount, outcomeOf } from './outcome.ts';
import { type PreviewState, usePreview } from './use-preview.ts';

/** State of a command while its form is open. */
export type OpenCommand = {
  // biome-ignore lint/suspicious/noExplicitAny: only the command itself knows its values.
  readonly draft: Draft<any>;
  readonly preview: PreviewState;
  /** Button label, with the amount to be charged or paid later. */
  readonly verb: string;
  /** Reason why the command isn't possible, shown next to the button. `null` if the command is possible. */
  readonly rejection: string | null;
  /** Validation errors for form fields. */
  readonly problems: readonly FieldProblem[];
  readonly isRunning: boolean;
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

/** Manages the form values, preview and button of a command. Calls `onDone` with the result after the command has run. */
export function useCommand(
  command: AnyCommand,
  subject: Subject,
  onDone: (result: Result) => void,
): OpenCommand {
  const [run, { isRunning, error }] = useAction(command.document);
  const [failedFor, setFailedFor] = useState<string | null>(null);
  const draft = useDraft<object, unknown>(command.initial(subject), {
    send: async (sent) => {
      const answer = await run({ input: command.input(sent, subject) } as never);
      if (answer instanceof ApiError) setFailedFor(text);
      return answer;
    },
    onDone: (answer) => onDone(command.result?.(answer as never) ?? {}),
  });
  const { values } = draft;
  const input: object | null = command.input(values, subject);
  const text = JSON.stringify(input);
  const preview = usePreview(input === null || !command.preview ? null : command.preview(input));
  // Hides the rejection after the input has changed.
  const ownError = failedFor === text ? error : null;
  const rejection =
    preview.preview?.rejection?.message ?? preview.error?.message ?? ownError?.message ?? null;
  const isSettled = command.preview === undefined || preview.isCurrent;
  const isReady = input !== null && isSettled && (rejection === null || rejection === ownError?.message);
  return {
    draft: { ...draft, isReady, submit: () => isReady && draft.submit() },
    preview,
    verb: useVerb(command, values, preview),
    rejection,
    problems: problemsOf(preview.error, ownError),
    isRunning,
  };
}
