import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import styles from './portal.module.css';

// Shapes that sections are made of.

type CardProps = {
  readonly id: string;
  readonly title: string;
  readonly mark?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A part of a section with a heading. */
export const Card = ({ id, title, mark = null, children }: CardProps) => (
  <section id={id} class={styles.card} aria-labelledby={`${id}-title`}>
    <div class={styles.head}>
      <h2 id={`${id}-title`} class={styles.subtitle}>
        {title}
      </h2>
      {mark}
    </div>
    {children}
  </section>
);

/** A part of a section without a heading. */
export const Plain = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.card}>{children}</div>
);

/** What explains something; nothing where there is no text. */
export const Quiet = ({ id, children }: { readonly id?: string; readonly children: ComponentChildren }) => (
  <p id={id} class={`${styles.quiet} ${styles.lines}`}>
    {children}
  </p>
);

/** Buttons and links that do something, beside each other. */
export const Actions = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.actions}>{children}</div>
);

/** A list of things with what can be done with them. */
export const List = ({ id, children }: { readonly id: string; readonly children: ComponentChildren }) => (
  <ul id={id} class={styles.list}>
    {children}
  </ul>
);

type ItemAction = { readonly label: string; readonly isBusy: boolean; readonly act: () => void };

type ItemProps = {
  readonly name: string;
  readonly text: string;
  readonly mark?: ComponentChildren;
  /** What can be done with it; null for nothing. */
  readonly action: ItemAction | null;
  /** What else can be done with it. */
  readonly other?: ItemAction | null;
};

/** A line with what it is and a button. */
export const Item = ({ name, text, mark = null, action, other = null }: ItemProps) => (
  <li class={styles.item}>
    <span>
      <span>{name}</span>
      <span class={styles.quiet}>{text}</span>
    </span>
    {mark}
    {[action, other].map((each) =>
      each === null ? null : (
        <Button
          key={each.label}
          kind="quiet"
          aria-label={`${each.label}: ${name}`}
          disabled={each.isBusy}
          onClick={each.act}
        >
          {each.label}
        </Button>
      ),
    )}
  </li>
);

/** A word about how something stands. */
export const Badge = ({
  id,
  tone,
  children,
}: {
  readonly id?: string;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}) => (
  <span id={id} class={`${styles.badge} ${tone === 'good' ? styles.good : tone === 'bad' ? styles.bad : ''}`}>
    {children}
  </span>
);

type TableProps = {
  readonly label: string;
  readonly head: readonly string[];
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
};

/** A table, scrolled by itself where it is wider than the page; its last column holds numbers. */
export const Table = ({ label, head, children, foot = null }: TableProps) => (
  // The keyboard scrolls what has the focus.
  // biome-ignore lint/a11y/useSemanticElements: a group that scrolls is no fieldset.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
  <div role="group" class={styles.scroll} aria-label={label} tabIndex={0}>
    <table class={styles.table}>
      <thead>
        <tr>
          {head.map((text, index) => (
            <th key={text} scope="col" class={index === head.length - 1 ? styles.number : undefined}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {foot}
    </table>
  </div>
);

/** A cell with a number. */
export const NumberCell = ({ children }: { readonly children: ComponentChildren }) => (
  <td class={styles.number}>{children}</td>
);

/** Why something is so, below it. */
export const Reason = ({ children }: { readonly children: ComponentChildren }) => (
  <span class={styles.reason}>{children}</span>
);

type DialogProps = {
  readonly id: string;
  readonly labelledBy: string;
  readonly describedBy?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A dialog over the page, as long as it is shown. Escape closes it. */
export function Dialog({ id, labelledBy, describedBy, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      id={id}
      class={styles.dialog}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      // It closes this dialog, not what the page is shown in.
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
