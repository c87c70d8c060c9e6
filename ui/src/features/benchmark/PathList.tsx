// Paths that the person adds by typing or browsing.

import { useState } from "react";
import { Button, IconButton } from "../../components/controls";
import { Icon } from "../../components/Icon";
import { PathText } from "../../components/PathText";

export function PathList(props: {
  label: string;
  placeholder: string;
  testid: string;
  paths: string[];
  onChange: (paths: string[]) => void;
  /** What Browse chooses. */
  kind: "file" | "folder";
  browse: () => Promise<string | null>;
}) {
  const { paths, onChange } = props;
  const [path, setPath] = useState("");
  const add = (given: string) => {
    const trimmed = given.trim();
    setPath("");
    if (trimmed !== "" && !paths.includes(trimmed)) onChange([...paths, trimmed]);
  };
  const browse = async () => {
    const chosen = await props.browse();
    if (chosen) add(chosen);
  };
  return (
    <>
      {paths.map((one) => (
        <div key={one} className="bench-path">
          <Icon name={kindOf(one, props.kind)} />
          <PathText className="code" path={one} />
          <IconButton
            icon="close"
            label={`Remove ${one}`}
            onPress={() => onChange(paths.filter((other) => other !== one))}
          />
        </div>
      ))}
      <div className="bench-add-path">
        <input
          className="input code"
          aria-label={props.label}
          data-testid={props.testid}
          placeholder={props.placeholder}
          spellCheck={false}
          value={path}
          onChange={(event) => setPath(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && add(path)}
        />
        <Button icon={props.kind} onPress={browse}>
          Browse
        </Button>
        <Button isDisabled={path.trim() === ""} onPress={() => add(path)}>
          Add
        </Button>
      </div>
    </>
  );
}

/** Where files are chosen, a folder may be typed. */
function kindOf(path: string, kind: "file" | "folder"): "file" | "folder" {
  return kind === "file" && /\.[^./\\]+$/.test(path) ? "file" : "folder";
}
