import type { ReactNode } from 'react';
import styles from './sticky-bar.module.css';

/** Bar that stays visible at the bottom of the window while the page scrolls, for unsaved changes or the actions of a selection. */
export const StickyBar = ({ children }: { readonly children?: ReactNode }) => (
  <section className={styles.bar}>{children}</section>
);
