import type { ComponentChildren, JSX } from 'preact';
import type { Problems } from '../data/use-steps.ts';
import styles from './field.module.css';

type FieldProps = {
  readonly name: string;
  readonly label: string;
  readonly problems: Problems;
  readonly isHidden?: boolean;
  /** What is usual there, below the field. */
  readonly help?: string;
  /** Whether what is typed in is unusual there. */
  readonly isOdd?: boolean;
};

/** A label, a control and the place for what is wrong with it. */
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

/** A field of one line. It keeps what is typed into it itself. */
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

/** A choice among options. It keeps what is chosen itself. */
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

/** A box, which has to be checked unless said otherwise. It keeps itself whether it is. */
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

/** Fields beside each other. */
export const FieldRow = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.row}>{children}</div>
);
