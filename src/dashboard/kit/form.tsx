import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Form as AriaForm } from 'react-aria-components';
import styles from './form.module.css';
import { useKit } from './provider.tsx';

/** An error of a field, as the API reports it. */
export type FieldProblem = { readonly field: string; readonly message: string };

const noProblems: readonly FieldProblem[] = [];

/**
 * The errors of fields by their names, without those of fields that were typed into since. They vanish as someone types: if they did so when the field
 * is left, the button below would move away under the pointer that presses it.
 */
function useFieldErrors(form: RefObject<HTMLFormElement | null>, errors: readonly FieldProblem[]) {
  const [typed, setTyped] = useState<{ of: typeof errors; names: readonly string[] }>({
    of: errors,
    names: [],
  });
  const names = typed.of === errors ? typed.names : [];
  const without = names.join(' ');
  const byField = useMemo(() => {
    const found: Record<string, string[]> = {};
    for (const { field, message } of errors)
      if (!without.split(' ').includes(field)) found[field] = [...(found[field] ?? []), message];
    return found;
  }, [errors, without]);
  const forget = useEffectEvent(({ target }: Event) => {
    const name = (target as Element).getAttribute('name') ?? '';
    if (byField[name] !== undefined && form.current?.contains(target as Element) === true)
      setTyped({ of: errors, names: [...names, name] });
  });
  useEffect(() => {
    const listener = (event: Event) => forget(event);
    // Above the root of React, so that the field has what was typed before it is drawn again.
    document.addEventListener('input', listener);
    return () => document.removeEventListener('input', listener);
  }, []);
  return byField;
}

type FormProps = {
  readonly onSubmit: () => void;
  /** Errors by the `name` of their field; those of fields the form does not have stand on top. */
  readonly errors?: readonly FieldProblem[];
  /** Whether leaving the document asks first. */
  readonly isChanged?: boolean;
  /** The id, for buttons outside of the form (`<Button type="submit" form={id}>`). */
  readonly id?: string;
  readonly children?: ReactNode;
};

/** A form: errors by field, the first one focused; `Mod Enter` sends it from anywhere inside. */
export function Form({ onSubmit, errors = noProblems, isChanged = false, id, children }: FormProps) {
  const { words } = useKit();
  const form = useRef<HTMLFormElement>(null);
  const [others, setOthers] = useState(noProblems);
  useLayoutEffect(() => setOthers(errors.filter(({ field }) => !hasField(form.current, field))), [errors]);
  useLeaveWarning(isChanged);
  useEffect(() => {
    const element = form.current;
    const send = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) element?.requestSubmit();
    };
    element?.addEventListener('keydown', send);
    return () => element?.removeEventListener('keydown', send);
  }, []);
  useEffect(() => {
    if (errors.length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus();
  }, [errors]);
  const byField = useFieldErrors(form, errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <AriaForm
      ref={form}
      className={styles.form ?? ''}
      onSubmit={submit}
      validationErrors={byField}
      validationBehavior="aria"
      {...(id !== undefined && { id })}
    >
      {others.length > 0 && (
        <div className={styles.problems} role="alert">
          <strong>{words.errors}</strong>
          <ul>
            {others.map(({ field, message }) => (
              <li key={`${field} ${message}`}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {children}
    </AriaForm>
  );
}

/** Whether a form has a field of a name. */
const hasField = (form: HTMLFormElement | null, name: string): boolean =>
  form !== null && form.querySelector(`[name="${CSS.escape(name)}"]`) !== null;

/** Asks before the document is left while there are changes. */
export function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

/** Fields in two columns where there is room. A `FormWide` child takes both. */
export const FormGrid = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.container}>
    <div className={styles.grid}>{children}</div>
  </div>
);

/** Takes all columns of a FormGrid. */
export const FormWide = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.wide}>{children}</div>
);

/** Buttons at the end of a form. */
export const FormActions = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
