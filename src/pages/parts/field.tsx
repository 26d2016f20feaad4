import type { ComponentChildren, JSX } from 'preact';
import type { Problems } from '../data/use-page-actions.ts';
import styles from './field.module.css';

type FieldProps = {
  readonly name: string;
  readonly label: string;
  readonly problems: Problems;
  readonly isHidden?: boolean;
  /** Help text below the field. */
  readonly help?: string;
  /** True if the entry is unusual but accepted. */
  readonly isOdd?: boolean;
};

/** Label, input and error of a field. */
function Labeled({
  name,
  label,
  problems,
  isHidden = false,
  help,
  isOdd = false,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <p class={styles.field} hidden={isHidden}>
      <label class={styles.label} for={name}>
        {label}
      </label>
      {children}
      {help === undefined ? null : (
        <span class={isOdd ? styles.odd : styles.help} id={`${name}-help`} aria-live="polite">
          {help}
        </span>
      )}
      <span class={styles.problem} id={`${name}-problem`}>
        {problems[name] ?? ''}
      </span>
    </p>
  );
}

const states = (name: string, problems: Problems) =>
  ({
    id: name,
    name,
    'aria-describedby': `${name}-help ${name}-problem`,
    'aria-invalid': (problems[name] ?? '') !== '',
  }) as const;

/** Single-line text field. The page doesn't control its value. */
export function Field({
  name,
  label,
  problems,
  isHidden = false,
  help,
  isOdd,
  mark,
  ...input
}: FieldProps & { readonly mark?: ComponentChildren } & Omit<JSX.IntrinsicElements['input'], 'label'>) {
  return (
    <Labeled
      name={name}
      label={label}
      problems={problems}
      isHidden={isHidden}
      {...(help === undefined ? {} : { help, isOdd })}
    >
      <span class={styles.control}>
        <input class={styles.input} {...input} {...states(name, problems)} />
        {mark}
      </span>
    </Labeled>
  );
}

/** Select field. The page doesn't control its value. */
export function Choice({
  name,
  label,
  problems,
  isHidden = false,
  children,
  ...select
}: FieldProps & Omit<JSX.IntrinsicElements['select'], 'label'>) {
  return (
    <Labeled name={name} label={label} problems={problems} isHidden={isHidden}>
      <select class={styles.input} {...select} {...states(name, problems)}>
        {children}
      </select>
    </Labeled>
  );
}

/** Checkbox, required by default. The page doesn't control its state. */
export const Check = ({
  name,
  problems,
  children,
  ...input
}: Pick<FieldProps, 'name' | 'problems'> & { readonly children: ComponentChildren } & Pick<
    JSX.IntrinsicElements['input'],
    'required' | 'onChange'
  >) => (
  <p class={styles.field}>
    <label class={styles.check} for={name}>
      <input type="checkbox" class={styles.box} required {...input} {...states(name, problems)} />
      <span>{children}</span>
    </label>
    <span class={styles.problem} id={`${name}-problem`}>
      {problems[name] ?? ''}
    </span>
  </p>
);

/** Arranges fields next to each other. */
export const FieldRow = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.row}>{children}</div>
);
