import type { ReactNode } from 'react';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components';
import styles from './link.module.css';

type LinkProps = Omit<AriaLinkProps, 'children' | 'className' | 'style'> & {
  /** `text` takes the color of the text around it, for names in tables. */
  readonly kind?: 'normal' | 'text' | 'muted';
  readonly children?: ReactNode;
};

/** A link: `href` inside the dashboard goes by the router, others as usual. */
export const Link = ({ kind = 'normal', ...props }: LinkProps) => (
  <AriaLink {...props} className={styles.link ?? ''} data-kind={kind} />
);
