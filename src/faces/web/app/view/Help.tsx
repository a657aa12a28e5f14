/** @file The keys. */
import { useEffect, useRef } from 'preact/hooks';
import { store } from '../state/app.ts';
import { BACK, type Command, FORWARD, OTHER } from '../state/commands.ts';
import { useSelect } from '../state/store.ts';

export function Help() {
  const help = useSelect(store, (s) => s.help);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (help && !element?.open) element?.showModal();
    if (!help && element?.open) element.close();
  }, [help]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => store.set({ help: false })}>
      <h2 id="help-title">Keys</h2>
      <p>
        Letters are pdb’s; capitals go backwards. They work while a program is debugged, also in its text. On
        the timeline the arrow keys scrub; the browser’s Back returns to the stop before.
      </p>
      <div class="help-columns">
        <Keys title="On" commands={FORWARD} />
        <Keys title="Back" commands={BACK} />
        <Keys title="More" commands={OTHER} />
      </div>
      <form method="dialog">
        <button type="submit" class="button primary">
          Close
        </button>
      </form>
    </dialog>
  );
}

function Keys({ title, commands }: { title: string; commands: readonly Command[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {commands.map(({ name, title: words, keys }) => (
          <div key={name}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
