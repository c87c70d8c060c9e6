class Whyrank < Formula
  desc "Local-first code retrieval that shows why each result ranks where it does"
  homepage "https://github.com/whyrank/whyrank"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "{{url:aarch64-apple-darwin}}"
      sha256 "{{sha256:aarch64-apple-darwin}}"
    end
    on_intel do
      url "{{url:x86_64-apple-darwin}}"
      sha256 "{{sha256:x86_64-apple-darwin}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url:aarch64-unknown-linux-gnu}}"
      sha256 "{{sha256:aarch64-unknown-linux-gnu}}"
    end
    on_intel do
      url "{{url:x86_64-unknown-linux-gnu}}"
      sha256 "{{sha256:x86_64-unknown-linux-gnu}}"
    end
  end

  def install
    bin.install "whyrank"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/whyrank"
    zsh_completion.install "completions/_whyrank"
    fish_completion.install "completions/whyrank.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/whyrank --version")
  end
end
