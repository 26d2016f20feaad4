import type { ReactNode } from 'react';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import styles from './link.module.css';

type LinkProps = Omit<AriaLinkProps, 'children' | 'className' | 'style'> & {
  /** Color of the link. `text` inherits the color of the surrounding text, for names in tables. */
  readonly kind?: 'normal' | 'text' | 'muted';
  readonly children?: ReactNode;
};

/** Link. For an `href` inside the dashboard, the router handles the navigation. */
export const Link = ({ kind = 'normal', ...props }: LinkProps) => (
  <AriaLink {...props} className={styles.link ?? ''} data-kind={kind} />
);
