import styles from './mark.module.css';

/** Mark of the product: a ring with a separate stub, together a Q. `size` is in pixels. */
export const Mark = ({ size }: { readonly size: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path className={styles.ring} d="M22 13.5V12A10 10 0 1 0 12 22h1.5v-5.5H12A4.5 4.5 0 1 1 16.5 12v1.5Z" />
    <path className={styles.stub} d="M15.3 15.3H22V22h-6.7Z" />
  </svg>
);
