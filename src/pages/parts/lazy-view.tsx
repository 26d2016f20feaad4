import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Creates a component whose module is loaded when it is mounted. Renders nothing until then, and nothing if the load fails. */
export const lazyView = <Props extends object>(
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
