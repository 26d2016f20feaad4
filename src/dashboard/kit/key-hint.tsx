import styles from './key-hint.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** `Mod` is Command on Apple devices and Control elsewhere. */
const symbols: Readonly<Record<string, string>> = isApple
  ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵', Ctrl: '⌃' }
  : { Mod: 'Ctrl', Enter: '↵' };

/** Keys of a shortcut, separated by spaces: `Mod K`, `g c`. Screen readers read them from `aria-keyshortcuts` or from the text. */
export const KeyHint = ({ keys }: { readonly keys: string }) => (
  <span className={styles.hint} aria-hidden="true">
    {keys.split(' ').map((key) => (
      <span key={key} className={styles.key}>
        {symbols[key] ?? key}
      </span>
    ))}
  </span>
);
