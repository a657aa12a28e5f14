"""A program of several files: which are its own, under what name, and where it runs. A part of tracer.py: names that are not defined here come from it and from the parts before."""

import importlib

# What is installed is not the project's, even where it lies in its folder.
INSTALLED = frozenset(('site-packages', 'dist-packages', 'node_modules'))
LIBRARY = os.path.dirname(os.path.realpath(os.__file__))
real_path, open_source, open_file = os.path.realpath, tokenize.open, io.open


class Project:
    """Takes the request's `project` (folders of this machine) or `modules` (files to be written beside the program)."""

    def __init__(self, request, main, count, write):
        self.request, self.write, self.count = request, write, count
        given = request.get('project')
        if given is None:
            folder = real_path(os.getcwd())
            given = {'folder': folder, 'path': folder, 'roots': [folder]}
            # Also the program's own name, so that a module can import it.
            self.lay_out(folder, request['modules'])
        self.folder, self.path = given['folder'], given['path']
        self.roots = [real_path(root) for root in given['roots']]
        self.script = given.get('script')
        # Names of files that are not the project's; real path -> (index, source).
        self.foreign, self.known, self.names = set(), {}, {request['file']['name']}
        if self.script is not None:
            self.known[real_path(self.script)] = (0, main)

    @staticmethod
    def lay_out(folder, modules):
        for module in modules:
            path = os.path.join(folder, *module['name'].split('/'))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open_file(path, 'w', encoding='utf-8', newline='\n') as file:
                file.write(module['text'])

    def enter(self, module):
        """The program's working folder, `sys.path` and name, as `python FILE` and `python -m` have them."""
        if self.request.get('project') is not None:
            # Temporary files stay in the folder that goes with the process.
            os.environ['TMPDIR'] = os.environ['HOME'] = os.getcwd()
            os.chdir(self.folder)
        sys.path.insert(0, self.path)
        importlib.invalidate_caches()
        named = self.request['file']['name'] if self.request.get('project') is None else self.script
        if named is not None:
            sys.argv[0] = module.__dict__['__file__'] = named

    def leave(self, modules):
        """The next program must not find this one's modules, nor those that it replaced."""
        for name, module in list(sys.modules.items()):
            path = (module_dict(module) or {}).get('__file__') if type(module) is types.ModuleType else None
            if name not in modules and type(path) is str and self.name_of(real_path(path)) is not None:
                del sys.modules[name]

    def name_of(self, path):
        """A file's name in the trace: its path below the root; None if it is not the project's."""
        for root in self.roots:
            if not path.startswith(root + os.sep):
                continue
            parts = path[len(root) + 1 :].split(os.sep)
            if not INSTALLED.isdisjoint(parts) or path.startswith(LIBRARY + os.sep) and not root.startswith(LIBRARY):
                continue
            below = root == real_path(self.folder) or root == real_path(self.path)
            return '/'.join(parts if below else [os.path.basename(root), *parts])
        return None

    def take(self, name):
        """The index and source of a code object's file; (0, None), and no second look, if it is not the project's."""
        try:
            path = real_path(name) if name[:1] != '<' else name
            if path in self.known:
                return self.known[path]
            shown = self.name_of(path)
            if shown is not None:
                with open_source(path) as file:
                    text = file.read()
                source = source_of(text, path)
                while shown in self.names:
                    shown = '_/' + shown
                index = self.count
                self.write('{"e":"file","name":%s,"text":%s}' % (quote(shown), quote(text)))
                self.count += 1
                self.names.add(shown)
                self.known[path] = (index, source)
                return index, source
        except (OSError, SyntaxError, ValueError):
            # Not a file, or not of Python: code that something made under its name.
            pass
        self.foreign.add(name)
        return 0, None
