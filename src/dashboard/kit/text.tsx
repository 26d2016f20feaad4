import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import styles from './text.module.css';
import type { Tone } from './tone.ts';

type TextProps = {
  /** Text size. Inherited by default. */
  readonly size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  readonly color?: 'normal' | 'muted' | 'faint' | Exclude<Tone, 'neutral'>;
  readonly weight?: 'normal' | 'medium' | 'bold';
  readonly as?: 'span' | 'p' | 'div' | 'strong' | 'dt' | 'dd' | 'li';
  readonly align?: 'start' | 'center' | 'end';
  /** True to truncate the text to one line with an ellipsis. */
  readonly truncate?: boolean;
  readonly code?: boolean;
  /** True for strikethrough text, such as amounts that no longer apply. */
  readonly struck?: boolean;
  readonly id?: string;
  readonly children?: ReactNode;
};

export const Text = ({
  size,
  color = 'normal',
  weight = 'normal',
  as: Element = 'span',
  align,
  truncate = false,
  code = false,
  struck = false,
  id,
  children,
}: TextProps) => (
  <Element
    id={id}
    className={cx(styles.text, truncate && styles.truncate, code && styles.code, struck && styles.struck)}
    data-size={size}
    data-color={color}
    data-weight={weight}
    data-text-align={align}
  >
    {children}
  </Element>
);

type HeadingProps = {
  readonly level?: 1 | 2 | 3 | 4;
  /** Text size. Defaults to the size of the level. */
  readonly size?: 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  readonly id?: string;
  readonly children?: ReactNode;
};

const sizes = { 1: 'xl', 2: 'lg', 3: 'md', 4: 'sm' } as const;

/** Heading of a page (1), section (2), card (3) or section of a card (4). */
export const Heading = ({ level = 2, size = sizes[level], id, children }: HeadingProps) => {
  const Element = `h${level}` as const;
  return (
    <Element id={id} className={styles.heading} data-size={size}>
      {children}
    </Element>
  );
};

/** Text for screen readers only. */
export const Hidden = ({ children }: { readonly children?: ReactNode }) => (
  <span className={styles.hidden}>{children}</span>
);
