import type { ReactNode } from 'react';
import styles from './sticky-bar.module.css';

/** A bar at the bottom of the window that stays while the page scrolls: changes that wait, a selection with its actions. */
export const StickyBar = ({ children }: { readonly children?: ReactNode }) => (
  <section className={styles.bar}>{children}</section>
);
