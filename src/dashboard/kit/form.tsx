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
import { useUnsavedWork } from './unsaved-work.ts';
import type { FormDraft } from './use-draft.ts';

/** Validation error of a field, as the API returns it. */
export type FieldProblem = { readonly field: string; readonly message: string };

const noProblems: readonly FieldProblem[] = [];

/**
 * Returns the errors of fields that haven't been edited since the validation. An error disappears when the user types.
 * If an error disappeared on blur, the button below the field would move away while the user presses it.
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
    // A listener above the React root runs before the field renders again with the typed text.
    document.addEventListener('input', listener);
    return () => document.removeEventListener('input', listener);
  }, []);
  return byField;
}

type FormProps = {
  /**
   * Values of the form, from `useDraft`. The user is asked before unsaved changes are lost by leaving the form's page,
   * sheet or dialog.
   */
  readonly draft?: FormDraft | undefined;
  /** Called when the user submits the form. By default, the draft is submitted. */
  readonly onSubmit?: () => void;
  /** Errors by field name. Errors without a matching field are shown at the top of the form. */
  readonly errors?: readonly FieldProblem[];
  /** ID of the form, for buttons outside it (`<Button type="submit" form={id}>`). */
  readonly id?: string;
  readonly children?: ReactNode;
};

/** Form that assigns errors to fields and focuses the first field with an error. `Mod+Enter` submits it from any field. */
export function Form({ draft, onSubmit = draft?.submit, errors = noProblems, id, children }: FormProps) {
  const { words } = useKit();
  const form = useRef<HTMLFormElement>(null);
  const [others, setOthers] = useState(noProblems);
  useLayoutEffect(() => setOthers(errors.filter(({ field }) => !hasField(form.current, field))), [errors]);
  useUnsavedWork(draft?.isChanged === true, draft?.work);
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
    onSubmit?.();
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

const hasField = (form: HTMLFormElement | null, name: string): boolean =>
  form !== null && form.querySelector(`[name="${CSS.escape(name)}"]`) !== null;

/** Arranges fields in two columns if there is enough space. A `FormWide` child spans both. */
export const FormGrid = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.container}>
    <div className={styles.grid}>{children}</div>
  </div>
);

/** Spans all columns of a `FormGrid`. */
export const FormWide = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.wide}>{children}</div>
);

/** Buttons at the end of a form. */
export const FormActions = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
