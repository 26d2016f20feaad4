import { initialsOf } from '../../ui/format/names.ts';
import styles from './avatar.module.css';

type AvatarProps = { readonly name: string; readonly size?: 'sm' | 'md' | 'lg' };

/** Assigns one of six colors to a name. The same name always gets the same color. */
const colorOf = (name: string): number =>
  [...name].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % 6;

/** Initials of a person or organization. Hidden from screen readers, because the name is next to them. */
export const Avatar = ({ name, size = 'md' }: AvatarProps) => (
  <span className={styles.avatar} data-size={size} data-color={colorOf(name)} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
