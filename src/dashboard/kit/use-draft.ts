import { useRef, useState } from 'react';
import { changesOf } from './changes.ts';
import { forgetWork, type Work } from './unsaved-work.ts';

/** Values of a form, with the changes that aren't saved yet. */
export type Draft<Values extends object> = {
  readonly values: Values;
  readonly change: (part: Partial<Values>) => void;
  /** Returns the properties that connect an input to a value. */
  readonly field: <Name extends keyof Values>(
    name: Name,
  ) => { readonly value: Values[Name]; readonly onChange: (value: Values[Name]) => void };
  /** Returns the properties that connect a switch or a checkbox to a value. */
  readonly choice: <Name extends keyof Values>(
    name: Name,
  ) => { readonly isSelected: Values[Name]; readonly onChange: (isSelected: Values[Name]) => void };
  /** Sets values that the form determines itself, such as a preselected row. Doesn't mark the form as changed. */
  readonly fill: (part: Partial<Values>) => void;
  /** True if the user changed any value. */
  readonly isChanged: boolean;
  /** True if the values can be saved. */
  readonly isReady: boolean;
  /** Restores the stored values. The changes are no longer protected. */
  readonly reset: () => void;
  /** Saves the values if the form is ready. The changes stay unsaved if saving fails. */
  readonly submit: () => void;
  /** Identifies the draft among all unsaved work. */
  readonly work: Work;
};

/** Part of a draft that its form and its save button need. */
export type FormDraft = Pick<Draft<object>, 'isChanged' | 'isReady' | 'submit' | 'work'>;

type DraftOptions<Values, Answer> = {
  /** Returns true if the form is complete. By default, the form is always complete. */
  readonly isReady?: (values: Values) => boolean;
  /** True if the form can be saved only after a change, such as the form of an existing object. */
  readonly needsChange?: boolean;
  /** Saves the values. An error or `false` as the result means that nothing was saved. */
  readonly send: (values: Values) => Promise<Answer>;
  /** Called with the result and the saved values. The form can then close, or reset the draft. */
  readonly onDone?: (answer: Exclude<Answer, Error | false>, values: Values) => void;
};

/**
 * Manages the values of a form. `stored` contains the values before any change; values that the user hasn't changed
 * follow `stored`. Pass the draft to `Form`, which asks before the changes are lost.
 */
export function useDraft<Values extends object, Answer>(
  stored: Values,
  { isReady: isComplete = () => true, needsChange = false, send, onDone }: DraftOptions<Values, Answer>,
): Draft<Values> {
  const [filled, setFilled] = useState<Partial<Values>>({});
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [work] = useState<Work>(() => ({}));
  const isSending = useRef(false);
  const initial = { ...stored, ...filled };
  const values = { ...initial, ...typed };
  const isChanged = changesOf(initial, values).length > 0;
  const isReady = isComplete(values) && (isChanged || !needsChange);
  const submit = async () => {
    if (isSending.current || !isReady) return;
    isSending.current = true;
    const answer = await send(values).finally(() => {
      isSending.current = false;
    });
    if (answer instanceof Error || answer === false) return;
    forgetWork(work);
    onDone?.(answer as Exclude<Answer, Error | false>, values);
  };
  const change = (part: Partial<Values>): void => setTyped((before) => ({ ...before, ...part }));
  const set =
    <Name extends keyof Values>(name: Name) =>
    (value: Values[Name]): void => {
      const part: Partial<Values> = {};
      part[name] = value;
      change(part);
    };
  return {
    values,
    change,
    field: (name) => ({ value: values[name], onChange: set(name) }),
    choice: (name) => ({ isSelected: values[name], onChange: set(name) }),
    fill: (part) => setFilled((before) => ({ ...before, ...part })),
    isChanged,
    isReady,
    reset: () => {
      forgetWork(work);
      setTyped({});
    },
    submit: () => void submit(),
    work,
  };
}
