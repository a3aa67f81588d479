// The rich text editor. It supports only what the shop displays; other pasted content is dropped by its schema.
import Image from '@tiptap/extension-image'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import {
  Bold,
  Captions,
  Heading2,
  Heading3,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListOrdered,
  Quote,
  Redo2,
  Undo2,
} from 'lucide-react'
import { type ReactNode, useEffect, useId } from 'react'
import { toApiError } from '../../../api/errors'
import { cn } from '../../../lib/cn'
import { toast } from '../../../ui/toast'
import { crudWords } from '../words'
import type { RichTextProps } from './LazyRichText'
import { altOf, uploadPhoto } from './upload'

const k = crudWords.editor
const EXTENSIONS = [
  StarterKit.configure({ heading: { levels: [2, 3, 4] }, link: { openOnClick: false } }),
  Image.configure({ inline: false }),
]

const pictures = (files: FileList | null | undefined): File[] =>
  [...(files ?? [])].filter((file) => file.type.startsWith('image/'))

export default function RichText({ label, value, onValueChange, disabled = false }: RichTextProps) {
  const pick = useId()
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: value,
    editable: !disabled,
    immediatelyRender: true,
    onUpdate: ({ editor: one }) => onValueChange(one.isEmpty ? '' : one.getHTML()),
    editorProps: {
      attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' },
      handlePaste: (_, event) => take(pictures(event.clipboardData?.files)),
      handleDrop: (_, event) => take(pictures(event.dataTransfer?.files)),
    },
  })
  const state = useEditorState({
    editor,
    selector: ({ editor: one }) => ({
      bold: one.isActive('bold'),
      italic: one.isActive('italic'),
      h2: one.isActive('heading', { level: 2 }),
      h3: one.isActive('heading', { level: 3 }),
      bullets: one.isActive('bulletList'),
      numbers: one.isActive('orderedList'),
      quote: one.isActive('blockquote'),
      link: one.isActive('link'),
      alt: one.isActive('image') ? String(one.getAttributes('image').alt ?? '') : undefined,
    }),
  })
  // Another version was loaded into the form.
  useEffect(() => {
    if (!editor.isDestroyed && !editor.isFocused && value !== editor.getHTML() && !(value === '' && editor.isEmpty))
      editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  function take(files: readonly File[]): boolean {
    for (const file of files) {
      uploadPhoto(file)
        .then((src) =>
          editor
            .chain()
            .focus()
            .setImage({ src, alt: altOf(file.name) })
            .run(),
        )
        .catch((thrown: unknown) => toast(toApiError(thrown).told, { tone: 'error' }))
    }
    return files.length > 0
  }
  const link = () => {
    if (state.link) return void editor.chain().focus().unsetLink().run()
    const href = window.prompt(k.linkAsk, 'https://')
    if (href && /^(https?:\/\/|\/|mailto:|tel:)/.test(href)) editor.chain().focus().setLink({ href }).run()
  }
  const describe = () => {
    const alt = window.prompt(k.altAsk, state.alt)
    if (alt !== null) editor.chain().focus().updateAttributes('image', { alt: alt.trim() }).run()
  }
  const run = () => editor.chain().focus()

  return (
    <div className="overflow-hidden rounded-md border border-line-strong bg-raised focus-within:border-ink focus-within:ring-1 focus-within:ring-ink">
      <div role="toolbar" aria-label={k.toolbar} className="flex flex-wrap gap-0.5 border-line border-b bg-sunken p-1">
        <Tool label={k.bold} on={state.bold} disabled={disabled} onClick={() => run().toggleBold().run()}>
          <Bold aria-hidden />
        </Tool>
        <Tool label={k.italic} on={state.italic} disabled={disabled} onClick={() => run().toggleItalic().run()}>
          <Italic aria-hidden />
        </Tool>
        <Tool label={k.h2} on={state.h2} disabled={disabled} onClick={() => run().toggleHeading({ level: 2 }).run()}>
          <Heading2 aria-hidden />
        </Tool>
        <Tool label={k.h3} on={state.h3} disabled={disabled} onClick={() => run().toggleHeading({ level: 3 }).run()}>
          <Heading3 aria-hidden />
        </Tool>
        <Tool label={k.bullets} on={state.bullets} disabled={disabled} onClick={() => run().toggleBulletList().run()}>
          <List aria-hidden />
        </Tool>
        <Tool label={k.numbers} on={state.numbers} disabled={disabled} onClick={() => run().toggleOrderedList().run()}>
          <ListOrdered aria-hidden />
        </Tool>
        <Tool label={k.quote} on={state.quote} disabled={disabled} onClick={() => run().toggleBlockquote().run()}>
          <Quote aria-hidden />
        </Tool>
        <Tool label={k.link} on={state.link} disabled={disabled} onClick={link}>
          <Link2 aria-hidden />
        </Tool>
        <Tool label={k.picture} disabled={disabled} onClick={() => document.getElementById(pick)?.click()}>
          <ImagePlus aria-hidden />
        </Tool>
        <Tool label={k.alt} disabled={disabled || state.alt === undefined} onClick={describe}>
          <Captions aria-hidden />
        </Tool>
        <Tool label={k.undo} disabled={disabled} onClick={() => run().undo().run()}>
          <Undo2 aria-hidden />
        </Tool>
        <Tool label={k.redo} disabled={disabled} onClick={() => run().redo().run()}>
          <Redo2 aria-hidden />
        </Tool>
        <input
          id={pick}
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-label={`${label} ${k.picture}`}
          className="sr-only"
          onChange={(event) => take(pictures(event.target.files))}
        />
      </div>
      <EditorContent
        editor={editor}
        className="prose-shop max-h-[32rem] min-h-48 overflow-y-auto px-4 py-3 [&_.tiptap]:min-h-44 [&_.tiptap]:outline-none"
      />
    </div>
  )
}

type ToolProps = { label: string; on?: boolean; disabled?: boolean; onClick: () => void; children: ReactNode }

const Tool = ({ label, on, disabled, onClick, children }: ToolProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-pressed={on}
    disabled={disabled}
    onClick={onClick}
    className={cn(
      'flex size-9 items-center justify-center rounded-sm disabled:opacity-40 [&_svg]:size-4.5',
      on ? 'bg-ink text-on-ink' : 'hover:bg-line',
    )}
  >
    {children}
  </button>
)
