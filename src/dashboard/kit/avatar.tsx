import { initialsOf } from '../../ui/format/names.ts';
import styles from './avatar.module.css';

type AvatarProps = { readonly name: string; readonly size?: 'sm' | 'md' | 'lg' };

/** The sum of the characters of a name, for one of six colors that stays the same. */
const colorOf = (name: string): number =>
  [...name].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % 6;

/** The initials of a person or organization; beside the name, so readers skip it. */
export const Avatar = ({ name, size = 'md' }: AvatarProps) => (
  <span className={styles.avatar} data-size={size} data-color={colorOf(name)} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
