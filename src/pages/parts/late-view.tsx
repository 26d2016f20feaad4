import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part of a page that is loaded where it is shown, with nothing in its place until then. What failed is said once the part is wanted. */
export const lateView = <Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> =>
  function Late(props) {
    const [loaded, setLoaded] = useState<{ readonly View: FunctionComponent<Props> } | null>(null);
    useEffect(() => {
      load().then(
        (View) => setLoaded({ View }),
        () => undefined,
      );
    }, []);
    return loaded === null ? null : <loaded.View {...props} />;
  };
