;;; drive.el --- Drives npdb's debug adapter from Emacs' dap-mode, without a screen  -*- lexical-binding: t; -*-
;;
;; emacs -Q --batch -l test/editors/drive.el PROGRAM CALL
;;
;; A client that nobody here wrote: it launches a recorded run, stops at a breakpoint, looks, steps over, back and in
;; reverse, sets a variable, and ends. Each stop is printed as a line: `STOP reason function:line`.

(setq user-emacs-directory (file-name-as-directory (make-temp-file "npdb-emacs-" t))
      package-user-dir (expand-file-name "elpa" user-emacs-directory)
      inhibit-message t)
(let ((default-directory "/usr/share/emacs/site-lisp/elpa/"))
  (normal-top-level-add-subdirs-to-load-path))
(require 'dap-mode)
(defvar dap-exception-breakpoints nil) ; dap-ui's, which needs a screen

(defvar drive-program (nth 0 command-line-args-left))
(defvar drive-call (nth 1 command-line-args-left))
(defvar drive-adapter (list "node" (expand-file-name "bin/npdb.js") "dap"))
(setq command-line-args-left nil
      dap-breakpoints-file (expand-file-name "breakpoints" user-emacs-directory)
      lsp-session-file (expand-file-name "lsp" user-emacs-directory)
      dap-auto-configure-features nil
      dap-print-io nil)

(defun drive-say (format &rest args) (princ (concat (apply #'format format args) "\n")))

(dap-register-debug-provider
 "npdb"
 (lambda (conf) (plist-put conf :dap-server-path drive-adapter)))

(defvar drive-stops 0)
(defvar drive-over nil)
(add-hook 'dap-terminated-hook (lambda (_) (drive-say "TERMINATED") (setq drive-over t)))

(defun drive-wait (condition what)
  "Serve the adapter's messages until CONDITION holds."
  (let ((end (+ (float-time) 300)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (drive-say "TIMEOUT %s" what)
        (kill-emacs 1))
      (accept-process-output nil 0.05))))

(defun drive-frame () (dap--debug-session-active-frame (dap--cur-session)))

(defun drive-ask (command &rest args)
  "The body of the answer to COMMAND."
  (let (done body)
    (dap--send-message (dap--make-request command (or args (make-hash-table)))
                       (lambda (response) (setq body (gethash "body" response) done t))
                       (dap--cur-session))
    (drive-wait (lambda () done) command)
    body))

;; dap-mode fetches the stack after each stop; the frame it then shows is what a person sees.
(add-hook 'dap-stack-frame-changed-hook
          (lambda (_session)
            (when (drive-frame)
              (setq drive-stops (1+ drive-stops))
              (drive-say "STOP %s:%s" (gethash "name" (drive-frame)) (gethash "line" (drive-frame))))))

(defun drive-move (command)
  "Call COMMAND, a function of dap-mode, and wait for the next stop."
  (let ((before drive-stops))
    (funcall command)
    (drive-wait (lambda () (or drive-over (> drive-stops before))) command)))

(defun drive-locals ()
  (let* ((scopes (gethash "scopes" (drive-ask "scopes" :frameId (gethash "id" (drive-frame)))))
         (locals (seq-find (lambda (s) (string-prefix-p "Locals" (gethash "name" s))) scopes)))
    (seq-map (lambda (v) (cons (gethash "name" v) (gethash "value" v)))
             (gethash "variables" (drive-ask "variables" :variablesReference (gethash "variablesReference" locals))))))

(find-file drive-program)
(goto-char (point-min))
(forward-line 9)
(dap-breakpoint-add)
(drive-move
 (lambda ()
   (dap-debug (list :type "npdb" :request "launch" :name "npdb" :program drive-program
                    :call drive-call :engine "recorded" :cwd default-directory))))
(drive-say "LOCALS %S" (drive-locals))
(drive-say "EVAL %s" (gethash "result" (drive-ask "evaluate" :expression "len(prices) * 10" :context "repl"
                                                  :frameId (gethash "id" (drive-frame)))))
(drive-move (lambda () (dap-next (dap--cur-session))))
(drive-move (lambda () (dap-continue (dap--cur-session) (dap--debug-session-thread-id (dap--cur-session)))))
(drive-move (lambda () (dap-step-in (dap--cur-session))))
(drive-move (lambda () (dap-step-out (dap--cur-session))))
(drive-move (lambda ()
              (dap--send-message (dap--make-request "stepBack" (list :threadId 1))
                                 (dap--resp-handler) (dap--cur-session))))
(drive-move (lambda ()
              (dap--send-message (dap--make-request "reverseContinue" (list :threadId 1))
                                 (dap--resp-handler) (dap--cur-session))))
(drive-say "LOCALS %S" (drive-locals))
(dap-breakpoint-delete-all)
(drive-move (lambda () (dap-continue (dap--cur-session) 1)))
(kill-emacs 0)
