import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import styles from './portal.module.css';

// Layout components for portal sections.

type CardProps = {
  readonly id: string;
  readonly title: string;
  readonly mark?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Card with a heading. */
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

/** Card without a heading. */
export const Plain = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.card}>{children}</div>
);

/** Muted text. Not shown if the text is empty. */
export const Quiet = ({ id, children }: { readonly id?: string; readonly children: ComponentChildren }) => (
  <p id={id} class={`${styles.quiet} ${styles.lines}`}>
    {children}
  </p>
);

/** Arranges buttons and links next to each other. */
export const Actions = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.actions}>{children}</div>
);

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
  /** Primary action. `null` if the card has no primary action. */
  readonly action: ItemAction | null;
  readonly other?: ItemAction | null;
  /** Details below the description. */
  readonly children?: ComponentChildren;
};

/** Item of a list: an object with a description and buttons. */
export const Item = ({ name, text, mark = null, action, other = null, children = null }: ItemProps) => (
  <li class={styles.item}>
    <div>
      <span>{name}</span>
      <span class={styles.quiet}>{text}</span>
      {children}
    </div>
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

/** Table that scrolls horizontally on narrow pages. The last column contains numbers. */
export const Table = ({ label, head, children, foot = null }: TableProps) => (
  // biome-ignore lint/a11y/useSemanticElements: A scrollable group isn't a fieldset.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: The focusable group can be scrolled with the keyboard.
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

export const NumberCell = ({ children }: { readonly children: ComponentChildren }) => (
  <td class={styles.number}>{children}</td>
);

/** Explanation below a cell's text. */
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

/** Modal dialog, which Escape closes. */
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
      // Escape closes only this dialog, not a frame of the parent page.
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
