import type { ComponentChildren, JSX } from 'preact';
import styles from './button.module.css';

type ButtonProps = { readonly kind?: 'main' | 'quiet'; readonly children: ComponentChildren } & Omit<
  JSX.IntrinsicElements['button'],
  'class'
>;

/** Full-width button. */
export const Button = ({ kind = 'main', children, type = 'button', ...rest }: ButtonProps) => (
  <button type={type} class={`${styles.button} ${kind === 'quiet' ? styles.quiet : ''}`} {...rest}>
    {children}
  </button>
);

type LinkProps = { readonly kind?: 'main' | 'quiet'; readonly children: ComponentChildren } & Omit<
  JSX.IntrinsicElements['a'],
  'class'
>;

/** Link in the style of a button. */
export const ButtonLink = ({ kind = 'main', children, ...rest }: LinkProps) => (
  <a class={`${styles.button} ${styles.link} ${kind === 'quiet' ? styles.quiet : ''}`} {...rest}>
    {children}
  </a>
);

/** Arranges buttons next to each other. */
export const ButtonRow = ({ children }: { readonly children: ComponentChildren }) => (
  <div class={styles.row}>{children}</div>
);
