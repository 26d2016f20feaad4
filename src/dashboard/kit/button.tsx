import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import styles from './button.module.css';
import { cx } from './class-names.ts';
import { KeyHint } from './key-hint.tsx';

type Look = {
  /** Style of the button: `primary` at most once per view, `quiet` without a border, `danger` for irreversible actions. */
  readonly kind?: 'primary' | 'normal' | 'quiet' | 'danger';
  readonly size?: 'md' | 'sm';
  readonly icon?: ReactNode;
  /** Keyboard shortcut, shown next to the label. */
  readonly keys?: string;
  readonly children?: ReactNode;
};

type Unstyled<Props> = Omit<Props, 'children' | 'className' | 'style'>;

export type ButtonProps = Look &
  Unstyled<AriaButtonProps> & {
    /** True for full width, for example in forms on phones. */
    readonly wide?: boolean;
  };

const inside = ({ icon, keys, children }: Look) => (
  <>
    {icon}
    {children !== undefined && <span className={styles.label}>{children}</span>}
    {keys !== undefined && <KeyHint keys={keys} />}
  </>
);

/** Button. While `isPending` is true, it keeps its width, shows a progress indicator and ignores clicks. */
export const Button = ({
  kind = 'normal',
  size = 'md',
  wide = false,
  icon,
  keys,
  children,
  ...props
}: ButtonProps) => (
  <AriaButton {...props} className={cx(styles.button, wide && styles.wide)} data-kind={kind} data-size={size}>
    {inside({ ...(icon !== undefined && { icon }), ...(keys !== undefined && { keys }), children })}
    {props.isPending === true && <span className={styles.spinner} aria-hidden="true" />}
  </AriaButton>
);

export type IconButtonProps = Unstyled<AriaButtonProps> & {
  /** Label for screen readers and the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly kind?: 'normal' | 'quiet';
  readonly size?: 'md' | 'sm';
};

/** Button that shows only an icon. */
export const IconButton = ({ label, icon, kind = 'quiet', size = 'md', ...props }: IconButtonProps) => (
  <AriaButton
    {...props}
    aria-label={label}
    className={cx(styles.button, styles.iconOnly)}
    data-kind={kind}
    data-size={size}
  >
    {icon}
    {props.isPending === true && <span className={styles.spinner} aria-hidden="true" />}
  </AriaButton>
);

export type LinkButtonProps = Look & Unstyled<AriaLinkProps>;

/** Link that looks like a button. */
export const LinkButton = ({
  kind = 'normal',
  size = 'md',
  icon,
  keys,
  children,
  ...props
}: LinkButtonProps) => (
  <AriaLink {...props} className={cx(styles.button)} data-kind={kind} data-size={size}>
    {inside({ ...(icon !== undefined && { icon }), ...(keys !== undefined && { keys }), children })}
  </AriaLink>
);
