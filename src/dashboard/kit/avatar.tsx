import { initialsOf } from '../../ui/format/names.ts';
import styles from './avatar.module.css';

type AvatarProps = {
  readonly name: string;
  /** ID of the person or organization, which determines the color. Defaults to the name. */
  readonly id?: string;
  /** Organizations have square avatars. */
  readonly kind?: 'person' | 'organization';
  readonly size?: 'sm' | 'md' | 'lg';
};

const hues = 8;

/** Assigns one of eight hues to an ID. The same ID always gets the same hue. */
const hueOf = (id: string): number =>
  ([...id].reduce((hash, char) => (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521, 7) % hues) + 1;

/** Initials of a person or organization. Hidden from screen readers, because the name is next to them. */
export const Avatar = ({ name, id = name, kind = 'person', size = 'md' }: AvatarProps) => (
  <span
    className={styles.avatar}
    data-size={size}
    data-kind={kind}
    data-hue={hueOf(id)}
    data-initials={initialsOf(name)}
    aria-hidden="true"
  />
);

/** Dot in the hue of a plan. */
export const PlanDot = ({ id }: { readonly id: string }) => (
  <span className={styles.dot} data-hue={hueOf(id)} aria-hidden="true" />
);
